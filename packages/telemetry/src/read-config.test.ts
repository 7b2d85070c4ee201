import { Type } from "typebox";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { readConfig } from "./read-config.ts";

const schema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  SHARE: Type.Number({ default: 0.5 }),
});

test("an enumeration of numbers accepts these only", () => {
  const replicas = Type.Object({ REPLICAS: Type.Enum([1, 3]) });
  expect(readConfig(replicas, { REPLICAS: "3" })).toEqual({ REPLICAS: 3 });
  expect(() => readConfig(replicas, { REPLICAS: "2" })).toThrow(ConfigError);
});

test.each([
  ["8080", 8080],
  ["0", 0],
  [" ", undefined],
  ["10.5", undefined],
  ["0x10", undefined],
  ["1e3", undefined],
  ["80 ", undefined],
  ["70000", undefined],
])("the integer %j is read as %s", (PORT, expected) => {
  if (expected === undefined) expect(() => readConfig(schema, { PORT })).toThrow(ConfigError);
  else expect(readConfig(schema, { PORT })).toEqual({ PORT: expected, SHARE: 0.5 });
});

test("rules are checked together, each if its variables are valid by themselves", () => {
  const pair = Type.Object({ A: Type.Optional(Type.String()), B: Type.Optional(Type.String()), PORT: Type.Integer() });
  const together = {
    variables: ["A", "B"] as const,
    validate({ A, B }: { A?: string; B?: string }) {
      if (!A !== !B) throw new ConfigError("A comes with B");
    },
  };
  const open = {
    variables: ["PORT"] as const,
    validate({ PORT }: { PORT: number }) {
      if (PORT === 1) throw new ConfigError("PORT is taken");
    },
  };
  const violations = (environment: NodeJS.ProcessEnv) => {
    try {
      readConfig(pair, environment, [together, open]);
      return [];
    } catch (error) {
      return (error as ConfigError).violations;
    }
  };
  expect(violations({ A: "a", B: "b", PORT: "2" })).toEqual([]);
  expect(violations({ A: "a", PORT: "1" })).toEqual(["A comes with B", "PORT is taken"]);
  expect(violations({ A: "a", PORT: "x" })).toEqual(["PORT is not valid", "A comes with B"]);
});
