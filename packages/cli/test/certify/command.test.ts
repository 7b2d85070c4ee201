import { runCommandLine } from "@canvass/command-line";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readdirSync } from "node:fs";
import { mkdtempDisposable, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cases } from "../../src/certify/cases/index.ts";
import { callers } from "../../src/callers.ts";
import { secret, startReceiver, type Behaviour } from "./start-receiver.ts";

const text = { name: "canvass", description: "", epilogue: "" };

async function run(words: string[], env: Record<string, string> = { CANVASS_WEBHOOK_SECRET: secret }) {
  const ran = { code: 0, out: "", err: "" };
  const output = { out: (line: string) => (ran.out += line), err: (line: string) => (ran.err += line) };
  ran.code = await runCommandLine(text, [callers as never], ["certify", ...words], env, output);
  expect(`${ran.out}${ran.err}`).not.toContain(secret.slice("whsec_".length));
  return ran;
}

/** Refuses unknown types, with what no XML or terminal can hold. */
const hostile: Behaviour = {
  answer: ({ type }, _headers, response) =>
    type === "certify.unknown"
      ? response.writeHead(500).end(`]]><b a="&">\0\u001b[2J\uFFFE\n\nno such type`)
      : response.end(),
};

test("a right receiver: a scorecard for people, code 0", async () => {
  await using receiver = await startReceiver();
  const { code, out, err } = await run([receiver.url.href]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^✔ {2}connection +204 +\d+ +the receiver is reached/m);
  expect(out).toMatch(/^✔ {2}forged +400 /m);
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    `${receiver.url.host}: ${cases.length} passed, 0 findings, 0 not sent.`,
  );
});

test("a finding has what to change and the response, and exits with code 1", async () => {
  await using receiver = await startReceiver(hostile);
  const { code, out, err } = await run([`${receiver.url.href}?key=of-the-receiver`]);
  expect([code, err]).toEqual([1, ""]);
  expect(out).toContain(
    "\n✖ unknown-type: Answer 2xx to types that you do not know, and do nothing with them (contract 8.6).\n" +
      '  The answer: ]]><b a="&">',
  );
  expect(out).not.toMatch(/(?!\n)\p{Cc}|of-the-receiver/u);
});

test("--json: one object, and --junit: a report that a foreign parser reads", async () => {
  await using receiver = await startReceiver(hostile);
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  const file = join(folder.path, "report.xml");
  const { code, out } = await run([receiver.url.href, "--json", "--junit", file]);
  expect(code).toBe(1);
  const { cases, ...counts } = JSON.parse(out);
  expect(counts).toEqual({ receiver: receiver.url.host, passed: cases.length - 1, findings: 1, skipped: 0 });
  const xml = await readFile(file, "utf8");
  expect(XMLValidator.validate(xml)).toBe(true);
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}]/u);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(xml);
  const { testcase, ...suite } = testsuites.testsuite;
  expect(suite).toMatchObject({ tests: String(cases.length), failures: "1", skipped: "0", errors: "0" });
  const failed = testcase.filter((each: object) => "failure" in each);
  expect(failed).toEqual([
    expect.objectContaining({
      name: "unknown-type: an event of an unknown type is accepted",
      failure: expect.objectContaining({ message: cases.find(({ advice }: { advice: unknown }) => advice).advice }),
    }),
  ]);
  expect(failed[0].failure["#text"]).toMatch(/^answer: 500\n]]><b a="&">/);
});

test("cases that are not sent are skipped in the report", async () => {
  await using receiver = await startReceiver({ answer: (_event, _headers, response) => response.writeHead(302).end() });
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  const file = join(folder.path, "report.xml");
  const { code, out } = await run([receiver.url.href, "--junit", file]);
  expect([code, out.match(/^✖ {2}.*/gm)]).toEqual([1, [expect.stringMatching(/^✖ {2}redirect +302 /)]]);
  const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(await readFile(file, "utf8"));
  const skipped = testsuites.testsuite.testcase.filter((each: object) => "skipped" in each);
  expect(skipped).toHaveLength(cases.length - 3);
  expect(skipped[0].skipped["@_message"]).toBe("Not sent, because redirect did not pass.");
});

test.each([
  ["no URL", [], /missing required argument 'url'/],
  ["another word", ["nonsense"], /url is "nonsense", but it is a URL such as/],
  ["http elsewhere", ["http://example.com/hook"], /must start with https:\/\/ except on localhost/],
  ["a password", ["https://ada:pass@example.com/"], /"…@example\.com\/", but it must not contain a user name/],
  ["a long URL", [`https://example.com/${"x".repeat(2048)}`], /at most 2048 characters/],
  ["two URLs", ["https://example.com/", "https://example.org/"], /too many arguments/],
])("%s is a wrong command line, code 2", async (_what, words, message) => {
  const { code, out, err } = await run(words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(message);
});

test.each([
  [{}, "There is no secret: set CANVASS_WEBHOOK_SECRET"],
  [{ CANVASS_WEBHOOK_SECRET: "MfKQ9r8GKYqrTwjU" }, "it has to be whsec_ and base64"],
  [{ CANVASS_WEBHOOK_SECRET: "whsec_{}" }, "it has to be whsec_ and base64"],
])("without a secret of a webhook nothing is sent, code 2", async (env: Record<string, string>, message) => {
  await using receiver = await startReceiver({ answer: () => expect.unreachable() });
  const { code, out, err } = await run([receiver.url.href], env);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
  expect(err).not.toContain(env["CANVASS_WEBHOOK_SECRET"] ?? "whsec_");
});

test("a report that cannot be written stops before anything is sent, code 1", async () => {
  await using receiver = await startReceiver({ answer: () => expect.unreachable() });
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  const file = join(folder.path, "none/report.xml");
  const { code, err } = await run([receiver.url.href, "--junit", file]);
  expect([code, err]).toEqual([1, expect.stringMatching(/cannot be written .* nothing was sent/)]);
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("the former file remains until the report is complete", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  const file = join(folder.path, "report.xml");
  const seen: string[] = [];
  await using receiver = await startReceiver({
    answer(_event, _headers, response) {
      seen.push(...readdirSync(folder.path));
      response.end();
    },
  });
  await run([receiver.url.href, "--junit", file]);
  expect(seen).toEqual([]);
  expect(await readdir(folder.path)).toEqual(["report.xml"]);
});
