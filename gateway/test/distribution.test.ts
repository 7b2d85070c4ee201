import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CreateDistributorRequest,
  MoveDistributorRequest,
  ReplaceDistributorSettingsRequest,
  UpdateDistributorRequest,
} from "@canvass/proto/distribution";
import { AppError } from "@canvass/errors";
import jsqr from "jsqr";
import { PNG } from "pngjs";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const distributorId = "distributor00000";
const code = "0123456789abcdefABCDEF";
const url = `https://surveys.example.com/s/${code}`;
const at = timestampFromDate(new Date("2026-03-01T12:00:00Z"));

const asked: { method: string; request: unknown }[] = [];
let type = "link";
let allowedOrigins: string[] = [];

const some = (method: string, request: unknown) => {
  asked.push({ method, request });
  return {
    distributor: {
      distributorId,
      surveyId,
      type,
      name: 'Help & "more"</script>',
      status: "active",
      code: type === "link" ? code : "",
      settings: { closesAt: at, responseLimit: 5n, hasPassword: true, closedMessage: "", allowedOrigins },
      stats: { opened: 9n, started: 4n, completed: 2n },
      issuedLinks: 3,
      createdAt: at,
      updatedAt: at,
      etag: '"tag"',
    },
  };
};
const link = (n: number) => ({
  linkId: `link00000000000${n}`,
  contactId: n === 1 ? "contact000000001" : "",
  code,
  createdAt: at,
});

const edge = await sharedByFile(
  startEdge(
    {
      distributor: {
        createDistributor: async (request) => some("create", request),
        getDistributor: async (request) => some("get", request),
        updateDistributor: async (request) => some("update", request),
        replaceDistributorSettings: async (request) => some("settings", request),
        moveDistributor: async (request) => {
          if (request.move === "resume")
            throw new AppError("invalid_transition", { state: "draft", allowed: ["activate"] });
          return some("move", request);
        },
        deleteDistributor: async (request) => {
          asked.push({ method: "delete", request });
          return {};
        },
        listDistributors: async (request) => {
          const { distributor } = some("list", request);
          return {
            distributors: [distributor, { ...distributor, stats: undefined }],
            nextCursor: "next",
            hasMore: true,
          };
        },
        issueLinks: async (request) => {
          asked.push({ method: "issue", request });
          return { links: [link(1), link(2)] };
        },
        listIssuedLinks: async (request) => {
          asked.push({ method: "links", request });
          return { links: [{ ...link(1), usedAt: "2026-03-01" }], nextCursor: "", hasMore: false };
        },
      },
    },
    { config: { CANVASS_PUBLIC_URL: "https://surveys.example.com/" } },
  ),
);
beforeEach(() => {
  asked.length = 0;
  type = "link";
  allowedOrigins = [];
});

const at8601 = "2026-03-01T12:00:00.000Z";
const shown = {
  id: distributorId,
  surveyId,
  type: "link",
  name: 'Help & "more"</script>',
  status: "active",
  code,
  url,
  settings: {
    opensAt: null,
    closesAt: at8601,
    responseLimit: 5,
    password: true,
    allowMultiple: false,
    prefill: false,
    closedMessage: null,
    redirectUrl: null,
    allowedOrigins: [],
  },
  stats: { opened: 9, started: 4, completed: 2 },
  linkCount: 3,
  createdAt: at8601,
  updatedAt: at8601,
};
const path = `/distribution/${distributorId}`;

describe("a distributor", () => {
  test("is created, read, changed and moved with its tag", async () => {
    const body = '{"name": "x", "settings": {"nonsense": 1}}';
    const headers = { "if-match": '"a", "b"' };
    const created = await edge.call(`/distribution/surveys/${surveyId}`, { method: "POST", body });
    expect(created.status).toBe(201);
    const answers = [
      created,
      await edge.call(path),
      await edge.call(path, { method: "PATCH", body, headers }),
      await edge.call(`${path}/settings`, { method: "PUT", body, headers }),
      await edge.call(`${path}/activate`, { method: "POST" }),
    ];
    for (const answer of answers) {
      expect(answer.body.data).toEqual(shown);
      expect([answer.headers.get("etag"), answer.body.meta.etag]).toEqual(['"tag"', '"tag"']);
    }
    const [create, , update, settings, move] = asked.map(({ request }) => request);
    expect(create as CreateDistributorRequest).toMatchObject({ surveyId, bodyJson: body });
    for (const change of [update as UpdateDistributorRequest, settings as ReplaceDistributorSettingsRequest]) {
      expect(change).toMatchObject({ distributorId, ifMatch: ['"a"', '"b"'], bodyJson: body });
    }
    expect(move as MoveDistributorRequest).toMatchObject({ distributorId, move: "activate" });
    expect((await edge.call(path, { headers: { "if-none-match": '"tag"' } })).status).toBe(304);
  });

  test("a distributor with one link per person has no URL; unknown counts are null", async () => {
    type = "single_use_link";
    const { body } = await edge.call(`/distribution/surveys/${surveyId}?limit=2&cursor=abc`);
    expect(asked[0]!.request).toMatchObject({ surveyId, limit: 2, cursor: "abc" });
    expect(body.data[0]).toMatchObject({ code: null, url: null, stats: shown.stats });
    expect(body.data[1].stats).toBeNull();
    expect(body.pagination).toEqual({ cursor_next: "next", hasMore: true });
  });

  test("changes its status by each operation; a refusal lists the possible operations", async () => {
    for (const move of ["pause", "close"])
      expect((await edge.call(`${path}/${move}`, { method: "POST" })).status).toBe(200);
    expect(asked.map(({ request }) => (request as MoveDistributorRequest).move)).toEqual(["pause", "close"]);
    const { status, body } = await edge.call(`${path}/resume`, { method: "POST" });
    expect([status, body.error.details]).toEqual([409, { state: "draft", allowed: ["activate"] }]);
  });

  test("is deleted", async () => {
    const { status, body } = await edge.call(path, { method: "DELETE" });
    expect([status, body.data]).toEqual([200, { id: distributorId, deleted: true }]);
  });

  test("needs its scope", async () => {
    const { value: token } = edge.services.issueToken(["distribution:read"]);
    expect((await edge.call(path, { token })).status).toBe(200);
    const refused = await edge.call(`${path}/pause`, { token, method: "POST" });
    expect([refused.status, refused.body.error.details]).toEqual([403, { required_scope: "distribution:write" }]);
  });

  test.each(["x", "DISTRIBUTOR00000", "surveys.x"])("with the id %s is absent", async (id) => {
    const { status, body } = await edge.call(`/distribution/${id}`);
    expect([status, body.error.code]).toEqual([404, "distributor_not_found"]);
    expect((await edge.call(`/distribution/${id}/qr-code`)).body.error.code).toBe("distributor_not_found");
  });
});

describe("links for one person each", () => {
  test("are issued and listed with their addresses", async () => {
    const issued = await edge.call(`${path}/links`, { method: "POST", body: '{"count":2}' });
    expect(issued.status).toBe(201);
    expect(issued.body.data).toEqual([
      { id: "link000000000001", contactId: "contact000000001", code, url, usedAt: null, createdAt: at8601 },
      { id: "link000000000002", contactId: null, code, url, usedAt: null, createdAt: at8601 },
    ]);
    const listed = await edge.call(`${path}/links?limit=1`);
    expect(listed.body).toMatchObject({
      data: [{ id: "link000000000001", usedAt: "2026-03-01" }],
      pagination: { cursor_next: null, hasMore: false },
    });
    expect(asked.map(({ request }) => request)).toMatchObject([
      { distributorId, bodyJson: '{"count":2}' },
      { distributorId, limit: 1, cursor: "" },
    ]);
  });
});

/** What a reader sees in an image of grey pixels, 0 to 255. */
function readCode(pixels: ArrayLike<number>, size: number): string | undefined {
  const rgba = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let n = 0; n < size * size; n++) rgba.fill(pixels[n]!, n * 4, n * 4 + 3);
  return jsqr.default(rgba, size, size)?.data;
}

/** Draws the one path of the SVG, eight pixels for each module. */
function drawn(svg: string): { pixels: Uint8Array; size: number } {
  const modules = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1]);
  const size = modules * 8;
  const pixels = new Uint8Array(size * size).fill(255);
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = Number(y) * 8; row < (Number(y) + 1) * 8; row++) {
      const from = row * size + Number(x) * 8;
      pixels.fill(0, from, from + Number(width) * 8);
    }
  }
  return { pixels, size };
}

describe("a QR code", () => {
  const fetchImage = async (query: string) => {
    const { value } = edge.services.issueToken(["distribution:read"]);
    const response = await fetch(`${edge.baseUrl}${path}/qr-code${query}`, {
      headers: { authorization: `Bearer ${value}` },
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test.each([128, 300, 512, 1024])("as PNG of %i pixels is read as the link's address", async (size) => {
    const { response, bytes } = await fetchImage(`?format=png&size=${size}`);
    expect(response.headers.get("content-type")).toBe("image/png");
    const { width, height, data } = PNG.sync.read(bytes);
    expect([width, height]).toEqual([size, size]);
    expect(
      readCode(
        Uint8Array.from({ length: size * size }, (_, n) => data[n * 4]!),
        size,
      ),
    ).toBe(url);
  });

  test("as SVG is read as the same, and runs nothing", async () => {
    const { response, bytes } = await fetchImage("?size=200");
    expect(response.headers.get("content-type")).toContain("image/svg+xml");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const svg = bytes.toString();
    expect(svg).toMatch(/^<svg [^>]*width="200" height="200"/);
    const { pixels, size } = drawn(svg);
    expect(readCode(pixels, size)).toBe(url);
  });

  test("is bounded in size, and not available where each person has a link", async () => {
    for (const query of ["size=127", "size=1025", "size=1.5", "format=gif"]) {
      const { status, body } = await edge.call(`${path}/qr-code?${query}`);
      expect([status, Object.keys(body.error.details)]).toEqual([422, [query.split("=")[0]]]);
    }
    type = "personal_link";
    for (const what of ["qr-code", "embed-code"]) {
      const { status, body } = await edge.call(`${path}/${what}`);
      expect([status, body.error.details]).toEqual([
        422,
        { distributorId: [expect.stringContaining("personal_link")] },
      ]);
    }
  });
});

describe("embed code", () => {
  test("is a frame that follows the height of its content", async () => {
    allowedOrigins = ["https://www.example.com"];
    const { body } = await edge.call(`${path}/embed-code`);
    expect(body.data).toMatchObject({ mode: "iframe", url, allowedOrigins });
    const { html } = body.data;
    expect(html).toContain(`src="${url}"`);
    expect(html).toContain('title="Help &amp; &quot;more&quot;&lt;/script&gt;"');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    const height = heightAfter(html, [
      { origin: "https://surveys.example.com", data: { type: "canvass:height", height: 321 } },
      { origin: "https://evil.example", data: { type: "canvass:height", height: 9 } },
      { origin: "https://surveys.example.com", data: { type: "other", height: 8 } },
      { origin: "https://surveys.example.com", data: null },
    ]);
    expect(height).toBe("321px");
  });

  test("is a button with a window", async () => {
    const { body } = await edge.call(`${path}/embed-code?mode=popup`);
    expect(body.data.html).toContain(`window.open("${url}"`);
    expect(body.data.html.match(/<\/script>/g)).toHaveLength(1);
  });
});

/** Runs the script of a frame's HTML, lets messages come from the frame, and returns its height. */
function heightAfter(html: string, messages: { origin: string; data: unknown }[]): string {
  const script = /<script>([^]*)<\/script>/.exec(html)![1]!;
  const id = /<iframe id="([^"]+)"/.exec(html)![1];
  const frame = { contentWindow: {}, style: { height: "600px" } };
  let listener: (event: object) => void = () => {};
  const page = {
    window: { addEventListener: (_type: string, added: typeof listener) => (listener = added) },
    document: { getElementById: (sought: string) => (sought === id ? frame : null) },
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- it is the code under test
  new Function("window", "document", script)(page.window, page.document);
  for (const message of messages) listener({ ...message, source: frame.contentWindow });
  listener({ origin: messages[0]!.origin, data: { type: "canvass:height", height: 1 }, source: {} });
  return frame.style.height;
}
