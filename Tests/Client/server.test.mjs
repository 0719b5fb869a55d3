import assert from "node:assert/strict";
import test from "node:test";
import { safeURL } from "../../Public/js/windows/server.js";

const BASE = "http://localhost/";

test("relative URLs, http, https and mailto are safe", () => {
  for (const url of ["a.svg", "/a?b=c:d", "//host/x", "HTTPS://host/", "mailto:a@b.example"]) {
    assert.ok(safeURL(url, BASE), url);
  }
});

test("URLs that run code are not safe, in any spelling", () => {
  for (const url of ["javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "http://["]) {
    assert.ok(!safeURL(url, BASE), url);
  }
});
