import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { LinkSchema } from "@canvass/proto/distribution-links";
import { settingsWithDefaults, type SurveyDefinition } from "@canvass/questions";
import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const code = "Ab3dEf6hIj9kLm2nOp5qRs";
const workspaceId = "workspace0000000";
const hostile = '<script>alert("1")</script>';
const definition: SurveyDefinition = {
  pages: [
    {
      pageId: "01h8x3k9q2m4a7zp",
      title: "One",
      loop: null,
      skipLogic: [],
      elements: [
        {
          elementId: "01h8x3k9q2w7d1ej",
          questionId: "01h8x3k9q2w7d1ek",
          type: 1,
          text: `Which? ${hostile}`,
          helpText: null,
          typeSettings: {},
          responseValidation: { required: true },
        },
      ],
    },
  ],
};

let link: MessageInitShape<typeof LinkSchema>;
let survey: { language: string; settings: object; isAway: boolean };
let opened = 0;

beforeEach(() => {
  link = { found: true, workspaceId, surveyId, distributorId: "distributor00000", type: "link", status: "active" };
  survey = { language: "en", settings: {}, isAway: false };
});
const edge = await sharedByFile(
  startEdge(
    {
      links: {
        batchGetLinks: async ({ links }) => ({
          links: links.map(({ by }) => (by.value === code ? link : { found: false })),
        }),
        batchCountOpened: async () => {
          opened += 1;
          return {};
        },
      },
      survey: {
        getPublicSurvey: async () => {
          if (survey.isAway) throw new AppError("service_unavailable");
          const settingsJson = JSON.stringify(settingsWithDefaults(survey.settings as never));
          const collection = {
            found: true,
            active: true,
            versionId: "01h8x3k9q2v0v0vv",
            versionNumber: 1,
            settingsJson,
          };
          return { name: `Lunch ${hostile}`, description: "How was it?", language: survey.language, collection };
        },
        batchGetVersions: async ({ versions }) => ({
          versions: versions.map(({ versionId }) => ({ versionId, definitionJson: JSON.stringify(definition) })),
        }),
      },
    },
    { config: { CANVASS_RATE_LIMITS: "off" } },
  ),
);

async function open(path = `/s/${code}`) {
  const response = await fetch(edge.url + path);
  return { response, html: await response.text(), policy: response.headers.get("content-security-policy")! };
}

test("the page can be read before its script runs, under a strict policy, and counts no opening", async () => {
  const { response, html, policy } = await open();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).toContain("<title>Lunch &lt;script&gt;");
  expect(html).toContain("<li>Which? &lt;script&gt;");
  expect(html).not.toContain(hostile);
  expect(html).toContain('<meta name="robots" content="noindex">');
  // The only script is a file.
  expect(html.match(/<script[^>]*>[^<]*/g)).toEqual([expect.stringMatching(/src="\/s\/assets\/main-[\w-]+\.js">$/)]);
  expect(policy).toContain("script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(opened).toBe(0);
});

test("the page follows the survey's language, theme, indexing and the origins of the link", async () => {
  survey = { ...survey, language: "ar", settings: { access: { allowIndexing: true }, display: { theme: "dark" } } };
  link = { ...link, type: "embed", allowedOrigins: ["https://a.example", "https://b.example"] };
  const { html, policy } = await open();
  expect(html).toContain('<html lang="ar" dir="rtl" data-theme="dark"');
  expect(html).not.toContain("noindex");
  expect(html).toContain('data-origins="https://a.example https://b.example"');
  expect(policy).toContain("frame-ancestors https://a.example https://b.example");
});

test("an origin that was stored under wider rules writes nothing into the policy", async () => {
  const allowedOrigins = ["https://a.example;script-src", "https://*.com", "https://b.example,x", "https://c.example"];
  link = { ...link, type: "embed", allowedOrigins };
  expect((await open()).policy).toMatch(/; frame-ancestors https:\/\/c\.example$/);
  link = { ...link, allowedOrigins: allowedOrigins.slice(0, 3) };
  expect((await open()).policy).toMatch(/; frame-ancestors 'none'$/);
});

test("the page shows no question while the link is closed or behind a password", async () => {
  link = { ...link, status: "paused", closedMessage: "Back on Monday." };
  const closed = await open();
  expect(closed.html).toContain("Back on Monday.");
  link = { ...link, status: "active", hasPassword: true };
  const secret = await open();
  for (const { html } of [closed, secret]) expect(html).not.toContain("Which?");
});

test("an unknown link, and a service that is down, get a page in plain words", async () => {
  const absent = await open("/s/nothing");
  expect(absent.response.status).toBe(404);
  expect(absent.html).toContain("There is no survey at this address.");
  survey.isAway = true;
  const away = await open();
  expect(away.response.status).toBe(503);
  expect(away.response.headers.get("retry-after")).not.toBeNull();
  expect(away.html).toContain("cannot be reached");
});

test("an address with a slash at its end redirects to the page, and keeps its query", async () => {
  for (const [path, location] of [
    [`/s/${code}/`, `/s/${code}`],
    [`/s/${code}/?contact_id=a%2F&x=/`, `/s/${code}?contact_id=a%2F&x=/`],
    ["/s//evil.example/", undefined],
  ] as const) {
    const response = await fetch(edge.url + path, { redirect: "manual" });
    expect([response.status, response.headers.get("location") ?? undefined]).toEqual([location ? 308 : 404, location]);
  }
});

test("a link that is opened too often gets a page that reloads itself", async () => {
  await using limited = await startEdge({}, { config: { CANVASS_RATE_LIMIT_LINKS: 1 } });
  await fetch(`${limited.url}/s/nothing`);
  const response = await fetch(`${limited.url}/s/nothing`);
  expect(response.status).toBe(429);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("refresh")).toBe(response.headers.get("retry-after"));
  expect(await response.text()).toContain("cannot be reached");
});

/** Gets a file in its coding, which `fetch` would decode. */
function fileAs(path: string, coding: string) {
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    get(edge.url + path, { headers: { "accept-encoding": coding } }, (response) => {
      buffer(response).then((bytes) => resolve({ headers: response.headers, bytes }), reject);
    }).on("error", reject);
  });
}

test("the page's files are compressed, cached for ever, and the same in every coding", async () => {
  const { html } = await open();
  for (const [path] of html.matchAll(/\/s\/assets\/[\w.-]+/g)) {
    const codings = ["identity", "gzip;q=0.5, br", "gzip"];
    const [plain, br, gzip] = await Promise.all(codings.map((coding) => fileAs(path, coding)));
    expect([plain, br, gzip].map((each) => each!.headers["content-encoding"])).toEqual([undefined, "br", "gzip"]);
    expect(br!.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(br!.headers.vary).toContain("Accept-Encoding");
    // Also for a frame without an origin.
    expect(br!.headers["access-control-allow-origin"]).toBe("*");
    expect(brotliDecompressSync(br!.bytes).equals(plain!.bytes)).toBe(true);
    expect(gunzipSync(gzip!.bytes).equals(plain!.bytes)).toBe(true);
  }
  expect((await fetch(`${edge.url}/s/assets/..%2Fmanifest.json`)).status).toBe(404);
});
