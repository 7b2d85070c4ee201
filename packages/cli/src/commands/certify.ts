import type { Certificate } from "../certify/certify.ts";
import { receiverViolation } from "../certify/receiver-violation.ts";
import { showCertificate } from "../certify/show-certificate.ts";
import { defineCommand } from "../define-command.ts";
import { requireWritable, writeWhole } from "../documents/whole-file.ts";
import { writeError } from "../write-error.ts";

export const certify = defineCommand({
  words: ["certify"],
  summary: "Test a receiver of webhooks, and report what to change",
  example: "certify https://example.com/hook",
  options: {
    url: {
      placeholder: "url",
      positional: true,
      required: true,
      help: "the receiver; its secret is CANVASS_WEBHOOK_SECRET",
      violation: receiverViolation,
    },
    secretStdin: { help: "read the webhook's secret from standard input (default: CANVASS_WEBHOOK_SECRET)" },
    junit: { placeholder: "file", help: "also write the scorecard to this file, as JUnit XML" },
  },
  async run({ url, secretStdin, junit }, { env, progress }) {
    // Imported here, because `--help` works before code is generated.
    const [{ certify }, { findWebhookSecret }, { toJunit }] = await Promise.all([
      import("../certify/certify.ts"),
      import("../certify/find-webhook-secret.ts"),
      import("../certify/to-junit.ts"),
    ]);
    const secret = await findWebhookSecret(env, secretStdin);
    if (junit !== undefined) await requireReport(junit);
    const certificate = await certify({ url: new URL(url), secret, onCase: progress });
    if (junit !== undefined) await writeWhole(junit, toJunit(certificate), { replace: true });
    return { ...certificate };
  },
  show: (result) => showCertificate(result as unknown as Certificate),
  isRefused: ({ findings }) => findings !== 0,
});

async function requireReport(path: string): Promise<void> {
  await requireWritable(path).catch((error: unknown) => {
    throw writeError(path, error, "nothing was sent");
  });
}
