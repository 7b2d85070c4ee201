import { expect, test } from "vitest";
import { hostOf, webhookNotification, webhookRef } from "./webhook-notification.ts";

const at = new Date("2026-03-01T12:00:00Z");
const subscription = {
  subscriptionId: "s1",
  name: "Hook",
  url: "https://Hooks.example.com:8443/secret?key=secret#secret",
};

test("a notification names author and webhook, and only the URL's host", () => {
  const webhook = webhookRef(subscription);
  const caller = { personName: "Ada", tokenName: "CI" };
  const event = webhookNotification({ workspaceId: "w1", at, caller }, { case: "webhookAdded", value: { webhook } });
  expect(event).toMatchObject({
    workspaceId: "w1",
    source: "webhook",
    body: {
      case: "notificationRequested",
      value: {
        personName: "Ada",
        tokenName: "CI",
        notification: {
          case: "webhookAdded",
          value: { webhook: { subscriptionId: "s1", name: "Hook", host: "hooks.example.com:8443" } },
        },
      },
    },
  });
});

test("a change by the service names no author", () => {
  const notification = {
    case: "webhookPaused",
    value: { webhook: webhookRef(subscription), failedAttempts: 10 },
  } as const;
  const { value } = webhookNotification({ workspaceId: "w1", at }, notification).body;
  expect(value).toMatchObject({ personName: "", tokenName: "" });
});

test.each([
  ["https://example.com/x", "example.com"],
  ["https://[2606:4700::1]:444/x", "[2606:4700::1]:444"],
  ["https://bücher.example/x", "xn--bcher-kva.example"],
  ["nonsense", ""],
  [null, ""],
])("the host of %j is %j", (url, host) => expect(hostOf(url)).toBe(host));
