import { expect, test } from "vitest";
import { parseSmtpUrl } from "./smtp-url.ts";

test.each([
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "offered", auth: undefined }],
  ["smtp://mail.example.com:25/?tls=required", { port: 25, tls: "required" }],
  ["smtp://mail.example.com?tls=off", { tls: "off" }],
  ["smtps://mail.example.com", { port: 465, tls: "implicit" }],
  ["smtps://[::1]:2465", { host: "::1", port: 2465 }],
  [
    "smtp://u%40example.com:p%3Aw%2F@mail.example.com",
    { tls: "required", auth: { user: "u@example.com", pass: "p:w/" } },
  ],
  ["smtp://u:p@127.0.0.1:1025", { tls: "offered" }],
  ["smtp://u:p@127.mail.example.com", { tls: "required" }],
  ["smtp://u:p@localhost:1025?tls=off", { tls: "off" }],
])("%s is parsed", (text, server) => expect(parseSmtpUrl(text)).toMatchObject(server));

test.each([
  "",
  "mail.example.com",
  "http://mail.example.com",
  "smtp://",
  "smtp:mail.example.com",
  "smtp://mail.example.com/inbox",
  "smtp://mail.example.com#x",
  "smtp://mail.example.com:99999",
  "smtp://user@mail.example.com",
  "smtp://:sesame@mail.example.com",
  "smtp://u:sesame%@mail.example.com",
  "smtp://mail.example.com?tls=maybe",
  "smtp://mail.example.com?tls=off&tls=required",
  "smtp://mail.example.com?rejectUnauthorized=false",
  "smtp://u:sesame@mail.example.com?tls=off",
  "smtps://mail.example.com?tls=off",
])("%j is refused with an error that does not quote it", (text) => {
  const refused = (): unknown => parseSmtpUrl(text);
  expect(refused).toThrow(/^(must|takes|does)/);
  expect(refused).not.toThrow(/sesame|mail\.example/);
});
