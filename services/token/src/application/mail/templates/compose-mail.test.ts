import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { composeMail, type MailData, type MailTemplate } from "./compose-mail.ts";

const at = new Date("2026-03-01T23:30:00Z");
const facts = {
  recipientName: "Ada",
  workspaceName: "Acme",
  timeZone: "Europe/Berlin",
  at,
  webhookId: "0123456789abcdef",
  webhookName: "CRM sync",
  host: "hooks.example.com:8443",
  personName: "Grace Hopper",
  tokenName: "CI",
};

const all: { [Template in MailTemplate]: MailData<Template> } = {
  "webhook.added": facts,
  "webhook.address_changed": { ...facts, previousHost: "old.example.com" },
  "webhook.secret_replaced": { ...facts, previousUntil: new Date("2026-03-02T23:30:00Z") },
  "webhook.disabled": { ...facts, reason: "gone" },
  "webhook.paused": { ...facts, failedAttempts: 12, lastSuccessAt: new Date("2026-02-26T23:30:00Z") },
};
const names = Object.keys(all) as MailTemplate[];

const compose = (name: MailTemplate, changed: Partial<MailData<MailTemplate>> = {}) =>
  composeMail(name, { ...all[name], ...changed });

test("the subject and the text of a mail about a new webhook", () => {
  expect(compose("webhook.added")).toMatchObject({
    subject: "Webhook added: Acme",
    text: `Hello Ada,

a webhook was added to your workspace. The events it subscribes to are sent to its address from now on.

  Workspace: Acme
  Webhook:   "CRM sync" (0123456789abcdef)
  Address:   hooks.example.com:8443
  Done by:   Grace Hopper, with the token "CI"
  When:      2 March 2026 at 00:30 (Europe/Berlin)

If you did not expect this, delete the webhook and revoke the token that was used; the audit log has the details.

--${" "}
You get this mail because you are an owner or an admin of the workspace.
`,
  });
});

test("mails about a new address, a new secret and a pause name the former host, the old secret's end, the last success", () => {
  expect(compose("webhook.address_changed").text).toContain("Address before: old.example.com");
  const sameHost = compose("webhook.address_changed", { previousHost: facts.host });
  expect(sameHost.text).toContain("The host stayed the same");
  expect(compose("webhook.secret_replaced").text).toContain(
    "signs as well until 3 March 2026 at 00:30 (Europe/Berlin)",
  );
  expect(compose("webhook.paused").text).toContain("27 February 2026 at 00:30");
  expect(compose("webhook.paused", { lastSuccessAt: undefined }).text).toContain("never");
});

test("the subject and the text of a mail about a receiver that is gone", () => {
  const { subject, text } = compose("webhook.disabled");
  expect(subject).toBe("Webhook disabled: Acme");
  expect(text).toBe(`Hello Ada,

a webhook was disabled, because its receiver asked for that: it answered a delivery with 410 Gone. Nothing is sent to it any more, and what was queued for it was cancelled.

  Workspace: Acme
  Webhook:   "CRM sync" (0123456789abcdef)
  Address:   hooks.example.com:8443
  When:      2 March 2026 at 00:30 (Europe/Berlin)

If the receiver was taken down on purpose, delete the webhook.

If not, have whoever runs the receiver look why it answers 410. Once it works again, set the status of the subscription to active. Events that happen until then are not queued for it.

--${" "}
You get this mail because you are an owner or an admin of the workspace.
`);
});

test("a mail about a blocked address tells why, that queued deliveries are kept, and how to resume", () => {
  const { text } = compose("webhook.disabled", { reason: "blocked" });
  expect(text).toContain("does not lead to a public internet address now, or its port is not allowed");
  expect(text).toContain("what was queued for it is kept");
  expect(text).toContain("set the status of the subscription to active");
  expect(text).not.toContain("410");
});

test.each(names)("%s: every fact of the text is in the HTML too, which loads and links nothing", (name) => {
  const { text, html } = compose(name);
  const facts = [...text.matchAll(/^ {2}[\w ]+: +(.*)$/gm)].map(([, value]) => value!);
  expect(facts.length).toBeGreaterThan(1);
  for (const fact of facts) expect(html).toContain(fact.replaceAll('"', "&quot;"));
  expect(html).not.toMatch(/<(a|img|script|link|iframe|form)\b|https?:|javascript:|src=|href=|url\(/i);
});

test.each(names)("%s: no input adds a tag or a line", (name) => {
  const plain = compose(name);
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "x\r\nBcc: evil@example.com\r\n\r\n<b>",
      "\u2028\u0085\u000b\u000c",
      "&lt;",
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (first, second, third) => {
      const mail = compose(name, {
        recipientName: first,
        workspaceName: second,
        webhookName: third,
        webhookId: first,
        personName: second,
        tokenName: third,
        timeZone: first,
        host: second,
      });
      expect(mail.subject).not.toMatch(/[\r\n\0]/);
      expect(count(mail.html, /</g)).toBe(count(plain.html, /</g));
      expect(count(mail.text, /[\n\r\v\f\u0085\u2028\u2029]/g)).toBe(count(plain.text, /\n/g));
      expect(mail.text.isWellFormed() && mail.html.isWellFormed() && !mail.text.includes("\0")).toBe(true);
    }),
  );
});

test("a URL that is given as the host is not shown", () => {
  for (const host of [
    "https://hooks.example.com/T0/sesame",
    "hooks.example.com/sesame",
    "u:sesame@example.com",
    "a?sesame",
  ]) {
    const { subject, text, html } = compose("webhook.added", { host });
    expect(subject + text + html).not.toContain("sesame");
  }
  expect(compose("webhook.added", { host: "[2606:4700::1]:8443" }).text).toContain("[2606:4700::1]:8443");
});

test("a name that looks like an address does not become a link, and hides nothing", () => {
  const webhookName = "Sign in at https://evil.example/x?a=1 or mail me@evil.example\u202egnp.exe, v2.0";
  const { text } = compose("webhook.added", { webhookName });
  expect(text).toContain('"Sign in at https[:]//evil[.]example/x?a=1 or mail me[@]evil[.]example gnp[.]exe, v2.0"');
});

test("a long name is cut", () => {
  const { text } = compose("webhook.added", { webhookName: "😀".repeat(500) });
  expect(text).toContain(`"${"😀".repeat(199)}…"`);
});
