import Builder from "fast-xml-builder";
import type { CaseResult, Certificate } from "./certify.ts";

const xml = new Builder({ ignoreAttributes: false, attributeNamePrefix: "@", format: true, suppressEmptyNode: true });

/** Returns the scorecard as JUnit XML, one test for each case. */
export function toJunit({ receiver, findings, skipped, cases }: Certificate): string {
  const seconds = cases.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const counts = { "@tests": cases.length, "@failures": findings, "@errors": 0, "@skipped": skipped };
  const suite = { "@name": `canvass certify ${receiver}`, ...counts, "@time": seconds };
  return xml.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: { ...counts, "@time": seconds, testsuite: { ...suite, testcase: cases.map(testCase) } },
  });
}

function testCase({ name, checks, result, answer, text, ms, advice }: CaseResult) {
  const test = { "@classname": "canvass certify", "@name": `${name}: ${checks}`, "@time": ms / 1000 };
  if (result === "skipped") return { ...test, skipped: { "@message": advice } };
  if (result === "passed") return test;
  const details = printable([`answer: ${answer}`, ...(text === "" ? [] : [text])].join("\n"));
  return { ...test, failure: { "@message": advice, "@type": name, "#text": details } };
}

/** Replaces characters that XML 1.0 cannot hold, even escaped. */
const printable = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
