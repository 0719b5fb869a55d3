<?php
// The whole element in one request: its first cards are in the page before any script.
$server = "http://127.0.0.1:8080";
$query = http_build_query([
  "strip" => "albums", "width" => 1280, "overscan" => 128, "format" => "element",
  "attr-controls" => "previous next", "attr-aria-label" => "Albums",
]);
?>
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A strip in PHP</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="<?= $server ?>/css/strip.css">
<script type="module" src="<?= $server ?>/js/embed.js"></script>

<h1>Albums</h1>
<?= @file_get_contents("$server/window?$query") ?: "<p>The albums are not available.</p>" ?>
