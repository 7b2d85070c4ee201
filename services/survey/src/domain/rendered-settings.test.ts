import { settingsWithDefaults } from "@canvass/questions";
import { expect, test } from "vitest";
import { hasPassword, settingsForAudit, settingsForCallers, settingsForCollecting } from "./rendered-settings.ts";

const stored = JSON.stringify({ access: { password: "scrypt$hash" }, display: { theme: "dark" } });

test("callers get every setting: stored values, and defaults for the others", () => {
  const { access, ...settings } = JSON.parse(settingsForCallers(stored)) as Record<string, unknown>;
  const { access: _, display, ...defaults } = settingsWithDefaults({});
  expect(settings).toEqual({ ...defaults, display: { ...display, theme: "dark" } });
  expect(Object.keys(access as object)).toEqual(Object.keys(settingsWithDefaults({}).access));
});

test("a password is never returned: callers see whether there is one, and respondents do not even see that", () => {
  expect(JSON.parse(settingsForCallers(stored))).toMatchObject({ access: { password: true } });
  expect(JSON.parse(settingsForCallers("{}"))).toMatchObject({ access: { password: false } });
  expect(settingsForCallers(stored)).not.toContain("hash");
  expect(settingsForCollecting(stored)).not.toContain("password");
  expect([stored, "{}", '{"access":{"password":null}}', '{"x":{"password":1}}'].map(hasPassword)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("the audit log has the settings, but only the presence or change of a password", () => {
  expect(settingsForAudit(stored)).toEqual({ access: { password: "set" }, display: { theme: "dark" } });
  const another = JSON.stringify({ access: { password: "scrypt$other" } });
  expect(settingsForAudit(another, stored)).toEqual({ access: { password: "changed" } });
  expect(settingsForAudit(another, "{}")).toEqual({ access: { password: "set" } });
  const unset = JSON.stringify({ access: { password: null } });
  expect(settingsForAudit(unset, stored)).toEqual({ access: { password: null } });
});
