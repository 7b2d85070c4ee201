import type { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { readYaml } from "./read-yaml.ts";

test("of very many faults the first hundred are told, and stacks of other errors stay as they are", () => {
  const { stackTraceLimit } = Error;
  const refusal = (() => {
    try {
      readYaml("]".repeat(10_000));
    } catch (error) {
      return error as AppError;
    }
    return undefined;
  })();
  expect(refusal).toMatchObject({ code: "malformed_yaml" });
  expect((refusal!.details as { body: string[] }).body).toHaveLength(100);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
