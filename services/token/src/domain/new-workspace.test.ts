import { expect, test } from "vitest";
import { validateNewWorkspace } from "./new-workspace.ts";

const given = { name: "Acme", plan: "starter", ownerName: "Ada", ownerEmail: " Ada@Example.COM ", timeZone: "" };

test("a valid request is accepted: UTC by default, the e-mail address in lower case", () => {
  expect(validateNewWorkspace(given)).toEqual({ ...given, ownerEmail: "ada@example.com", timeZone: "UTC" });
  expect(validateNewWorkspace({ ...given, timeZone: "Asia/Kathmandu" }).timeZone).toBe("Asia/Kathmandu");
});

test("all faults are named at once", () => {
  const wrong = { name: " ", plan: "gold", ownerName: "x".repeat(201), ownerEmail: "ada", timeZone: "Mars/Olympus" };
  expect(() => validateNewWorkspace(wrong)).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      details: expect.objectContaining({
        name: expect.any(Array),
        plan: ["Use one of free, starter, professional, enterprise."],
        owner_name: expect.any(Array),
        owner_email: expect.any(Array),
        time_zone: expect.any(Array),
      }),
    }),
  );
});

test.each(["+01:00", "constructor", "Europe/Berlin\u0000", "../UTC", "US/Pacific-New"])(
  "%j is no time zone",
  (timeZone) => {
    expect(() => validateNewWorkspace({ ...given, timeZone })).toThrow(
      expect.objectContaining({ code: "validation_failed" }),
    );
  },
);

test("a plan is not found by an inherited name", () => {
  expect(() => validateNewWorkspace({ ...given, plan: "constructor" })).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});
