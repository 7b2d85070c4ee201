import { checkShape, type Violation } from "@canvass/inputs";
import { parseInstant } from "@canvass/values";
import type { TObject, TSchema } from "typebox";

type Parameter = TSchema & { default?: unknown; format?: string; "x-not-beside"?: readonly string[] };

/** Adds the violations of a converted query (`convertQuery`), and sets the defaults of missing parameters. */
export function checkQuery(schema: TObject, query: Record<string, unknown>, violations: Violation[]): void {
  const { properties } = schema;
  const required: readonly string[] = schema.required ?? [];
  for (const name of Object.keys(query)) {
    if (Object.hasOwn(properties, name)) continue;
    const named = namedBy(schema, name);
    if (named) checkParameter(named, query[name], name, violations);
    else violations.push({ path: name, message: "is not a known parameter" });
  }
  for (const [name, parameter] of Object.entries<Parameter>(properties)) {
    const { default: usual, "x-not-beside": others = [] } = parameter;
    const other = others.find((each) => Object.hasOwn(query, each));
    if (other !== undefined && Object.hasOwn(query, name)) {
      violations.push({ path: name, message: `has no effect beside \`${other}\`; leave it out` });
    }
    if (Object.hasOwn(query, name)) checkParameter(parameter, query[name], name, violations);
    else if (usual !== undefined) query[name] = usual;
    else if (required.includes(name)) violations.push({ path: name, message: "is required" });
  }
}

/** The schema of a parameter whose name only follows a pattern. */
function namedBy(schema: TObject, name: string): TSchema | undefined {
  const { patternProperties = {} } = schema as { patternProperties?: Record<string, TSchema> };
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
}

function checkParameter(parameter: Parameter, value: unknown, path: string, violations: Violation[]): void {
  if (parameter.format !== "date-time") return checkShape(parameter, value, path, violations);
  if (typeof value === "string" && parseInstant(value) !== null) return;
  violations.push({ path, message: "must be a date and time such as 2026-01-31T12:00:00Z" });
}
