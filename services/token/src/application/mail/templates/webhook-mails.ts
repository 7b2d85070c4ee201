import { oneLine, withoutLinks } from "../../../domain/one-line.ts";
import type { MailOutline } from "./mail-content.ts";

export interface WebhookMail {
  recipientName: string;
  workspaceName: string;
  /** IANA name. */
  timeZone: string;
  at: Date;
  webhookId: string;
  webhookName: string;
  /** Only the host: the rest of the URL is often a secret. */
  host: string;
}

export interface ByPerson {
  personName: string;
  tokenName: string;
}

export type WebhookAddedMail = WebhookMail & ByPerson;
export type WebhookAddressChangedMail = WebhookMail & ByPerson & { previousHost: string };
export type WebhookSecretReplacedMail = WebhookMail & ByPerson & { previousUntil: Date };
export type WebhookPausedMail = WebhookMail & {
  failedAttempts: number;
  lastSuccessAt: Date | undefined;
};

export type WebhookDisabledMail = WebhookMail & { reason: DisableReason };
/** `gone`: the receiver responded with 410. `blocked`: its address is not allowed. */
export type DisableReason = keyof typeof disabledTexts;

export function webhookAdded(data: WebhookAddedMail): MailOutline {
  return outline(data, {
    subject: "Webhook added",
    opening: "a webhook was added to your workspace. The events it subscribes to are sent to its address from now on.",
    facts: [["Address", shownHost(data.host)], ...doneBy(data)],
    closing: [unexpected],
  });
}

export function webhookAddressChanged(data: WebhookAddressChangedMail): MailOutline {
  const facts: Fact[] = [
    ["New address", shownHost(data.host)],
    ["Address before", shownHost(data.previousHost)],
  ];
  const moved = data.host === data.previousHost ? "The host stayed the same; the rest of the address changed. " : "";
  return outline(data, {
    subject: "Webhook address changed",
    opening: `the address of a webhook was changed. ${moved}The next deliveries go to the new one.`,
    facts: [...facts, ...doneBy(data)],
    closing: [unexpected],
  });
}

export function webhookSecretReplaced(data: WebhookSecretReplacedMail): MailOutline {
  return outline(data, {
    subject: "Webhook secret replaced",
    opening: "the signing secret of a webhook was replaced. The new one was shown once, to whoever replaced it.",
    facts: [
      ["Address", shownHost(data.host)],
      ...doneBy(data),
      ["Old secret", `signs as well until ${shownTime(data.previousUntil, data.timeZone)}`],
    ],
    closing: [
      "The receiver must know the new secret by then, or it will refuse deliveries. A secret before the old one signs no more.",
      unexpected,
    ],
  });
}

export function webhookPaused(data: WebhookPausedMail): MailOutline {
  const { lastSuccessAt, timeZone } = data;
  return outline(data, {
    subject: "Webhook paused",
    opening: "a webhook was paused, because its endpoint has been failing for too long.",
    facts: [
      ["Address", shownHost(data.host)],
      ["Failed in a row", String(data.failedAttempts)],
      ["Last success", lastSuccessAt ? shownTime(lastSuccessAt, timeZone) : "never"],
    ],
    closing: [
      "Deliveries that were queued before are kept for about four days. Events that happen while it is paused are not queued for it.",
      "Look at the deliveries of the webhook: they show what the endpoint answered. Once it works again, set the status of the subscription to active.",
    ],
  });
}

export function webhookDisabled(data: WebhookDisabledMail): MailOutline {
  return outline(data, {
    subject: "Webhook disabled",
    facts: [["Address", shownHost(data.host)]],
    ...disabledTexts[data.reason],
  });
}

export function isDisableReason(reason: string): reason is DisableReason {
  return Object.hasOwn(disabledTexts, reason);
}

const resume = "set the status of the subscription to active. Events that happen until then are not queued for it.";

const disabledTexts = {
  gone: {
    opening:
      "a webhook was disabled, because its receiver asked for that: it answered a delivery with 410 Gone. Nothing is sent to it any more, and what was queued for it was cancelled.",
    closing: [
      "If the receiver was taken down on purpose, delete the webhook.",
      `If not, have whoever runs the receiver look why it answers 410. Once it works again, ${resume}`,
    ],
  },
  blocked: {
    opening:
      "a webhook was disabled, because nothing can be delivered to its address any more: its host name does not lead to a public internet address now, or its port is not allowed. Nothing is sent to it any more; what was queued for it is kept for about four days.",
    closing: [
      "Look where the host name leads (its DNS records), or give the webhook another address.",
      `Then ${resume} The address is checked again at that moment.`,
    ],
  },
} as const satisfies Record<string, Pick<MailOutline, "opening" | "closing">>;

type Fact = readonly [string, string];

const unexpected =
  "If you did not expect this, delete the webhook and revoke the token that was used; the audit log has the details.";

function outline(
  data: WebhookMail,
  mail: Pick<MailOutline, "subject" | "opening" | "closing"> & { facts: readonly Fact[] },
): MailOutline {
  const workspace = withoutLinks(data.workspaceName);
  const facts: Fact[] = [
    ["Workspace", workspace],
    ["Webhook", `"${withoutLinks(data.webhookName)}" (${oneLine(data.webhookId, 40)})`],
    ...mail.facts,
    ["When", shownTime(data.at, data.timeZone)],
  ];
  return {
    subject: `${mail.subject}: ${workspace}`,
    greeting: `Hello ${withoutLinks(data.recipientName, 80)},`,
    opening: mail.opening,
    facts,
    closing: mail.closing,
    footer: "You get this mail because you are an owner or an admin of the workspace.",
  };
}

function doneBy({ personName, tokenName }: ByPerson): Fact[] {
  return [["Done by", `${withoutLinks(personName)}, with the token "${withoutLinks(tokenName)}"`]];
}

/** Hides everything except a plain host with an optional port. */
function shownHost(host: string): string {
  return /^(?:[\p{L}\p{N}._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/iu.test(host) ? host : "(not shown)";
}

function shownTime(at: Date, timeZone: string): string {
  const format = (zone: string) =>
    `${new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: zone }).format(at)} (${zone})`;
  try {
    return format(timeZone);
  } catch {
    return format("UTC");
  }
}
