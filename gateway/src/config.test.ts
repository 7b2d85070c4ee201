import { expect, test } from "vitest";
import { readGatewayConfig } from "./config.ts";

const read = (url: string) => () => readGatewayConfig({ CANVASS_PUBLIC_URL: url });

test.each([
  "https://",
  "https:///",
  "https:///surveys",
  "http://a b",
  "https://x/?a#b",
  "https://x?",
  "https://x/#",
  "https://user:secret@x",
  "https://x:99999",
  "https://[::1",
  "https://x\\y",
  "ftp://x",
  "x",
])("a public URL that no link can begin with is refused: %s", (url) => {
  expect(read(url)).toThrow("CANVASS_PUBLIC_URL is not valid");
});

test.each([
  "https://x",
  "https://x/",
  "http://127.0.0.1:8080",
  "http://[::1]:80",
  "https://x.example/surveys/",
  "https://bücher.example",
])("a public URL may be %s", (url) => {
  // Others are missing, so the whole is refused anyway.
  expect(read(url)).not.toThrow("CANVASS_PUBLIC_URL");
});
