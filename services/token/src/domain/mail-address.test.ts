import { expect, test } from "vitest";
import { isMailAddress, parseMailbox } from "./mail-address.ts";

test.each(["a@b", "ada.lovelace+x@mail.example.com", "o'brien@example.com", "jürgen@müller.example", "用户@例え.jp"])(
  "%j is an address",
  (text) => expect(isMailAddress(text)).toBe(true),
);

test.each([
  "",
  "a",
  "@b",
  "a@",
  "a@b@c",
  "a b@c",
  "a,victim@example.com",
  '"a b"@c',
  '"a@evil.example x"@example.com',
  "<a@b>",
  "a@b>",
  "a@b\r\nRCPT TO:<c@d>",
  "a\n@b",
  "a\0@b",
  "a@[127.0.0.1]",
  "a@b..c",
  "a@-b",
  "a@b.",
  "a\u202e@b",
  "a:b@c",
  "group:a@b;",
  `${"a".repeat(65)}@b`,
  `a@${"b".repeat(64)}`,
  `a@${"b.".repeat(130)}c`,
])("%j is no address", (text) => expect(isMailAddress(text)).toBe(false));

test.each([
  ["Canvass <noreply@localhost>", { name: "Canvass", address: "noreply@localhost" }],
  ['"Canvass, Inc." <a@b>', { name: "Canvass, Inc.", address: "a@b" }],
  [" a@b ", { name: "", address: "a@b" }],
  ["<a@b>", { name: "", address: "a@b" }],
  ["Canvass", undefined],
  ["A <a@b> <c@d>", undefined],
  ["a@b, c@d", undefined],
])("%j is read as the mailbox %j", (text, mailbox) => expect(parseMailbox(text)).toEqual(mailbox));
