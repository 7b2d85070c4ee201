import { anyFreePort, programEnvironment } from "@canvass/testing";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { testReceiver } from "@canvass/testing/https-receiver";
import { testCertificates } from "@canvass/testing/certificates";
import { createWebhookSender } from "@canvass/webhook-sender";
import { spawn } from "node:child_process";
import { mkdtempDisposable, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { codeBlocks, filesOf } from "./guides/code-blocks.ts";
import { startProgram } from "./sdk/program.ts";

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

/** Runs `canvass certify` as on a laptop: trusts one more certificate, and gets the secret by standard input. */
async function certify(url: string, certificate: string) {
  const canvass = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");
  const child = spawn(process.execPath, [canvass, "certify", url, "--secret-stdin", "--json"], {
    env: { ...programEnvironment(), NODE_EXTRA_CA_CERTS: certificate },
  });
  child.stdin.end(`${secret}\n`);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(err).toBe("");
  return JSON.parse(out) as { findings: number; skipped: number; cases: { result: string; advice: string | null }[] };
}

test("the receiver of the page about webhooks passes every case", async () => {
  const page = await readFile(join(WORKSPACE_ROOT, "gateway/docs/receiving-webhooks.md"), "utf8");
  const program = filesOf(codeBlocks(page)).get("receiver.mjs")!;
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  const { key, cert, ca } = await testCertificates(["localhost"]);
  const files = { "receiver.mjs": program, "key.pem": key, "cert.pem": cert, "ca.pem": ca };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
  await symlink(join(WORKSPACE_ROOT, "packages/e2e/node_modules"), join(folder.path, "node_modules"));
  const port = String(await anyFreePort());
  const receiver = startProgram(process.execPath, ["receiver.mjs"], {
    cwd: folder.path,
    env: { WEBHOOK_SECRET: secret, PORT: port },
  });
  await receiver.until(/listening/);
  const { cases, ...counts } = await certify(`https://localhost:${port}/`, join(folder.path, "ca.pem"));
  await receiver.stop();
  expect(cases.flatMap(({ advice }) => advice ?? [])).toEqual([]);
  expect(counts).toMatchObject({ findings: 0, skipped: 0 });
});

test("certify sends the same requests as Canvass", async () => {
  await using receiver = await testReceiver();
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-certify-"));
  await writeFile(join(folder.path, "ca.pem"), receiver.ca);
  await certify(`${receiver.url}/hook?of=mine`, join(folder.path, "ca.pem"));
  const [certified] = receiver.requests;
  receiver.requests.length = 0;
  await using sender = createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: receiver.ca });
  const { "webhook-id": webhookId, "webhook-timestamp": timestamp } = certified!.headers as Record<string, string>;
  await sender.send({
    url: `${receiver.url}/hook?of=mine`,
    webhookId: webhookId!,
    timestamp: Number(timestamp),
    body: certified!.body,
    secrets: [secret],
  });
  const { receivedAt: _, ...sent } = receiver.requests[0]!;
  expect(certified).toMatchObject(sent);
  expect(Object.keys(certified!.headers).toSorted()).toEqual(Object.keys(sent.headers).toSorted());
});
