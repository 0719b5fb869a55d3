import assert from "node:assert/strict";
import test from "node:test";
import { harmless } from "../../Public/js/links.js";

const BASE = "http://localhost/";

test("relative addresses, the web and mail are harmless", () => {
  for (const address of ["a.svg", "/a?b=c:d", "//host/x", "HTTPS://host/", "mailto:a@b.example"]) {
    assert.ok(harmless(address, BASE), address);
  }
});

test("addresses that run something are not, however they are written", () => {
  for (const address of ["javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "http://["]) {
    assert.ok(!harmless(address, BASE), address);
  }
});
