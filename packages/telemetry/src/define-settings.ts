import type { Static, TObject } from "typebox";
import { readConfig, type ConfigRule } from "./read-config.ts";

export interface Settings<Config> {
  read: (environment: NodeJS.ProcessEnv) => Config;
  variables: readonly Variable[];
}

export interface Variable {
  name: string;
  description: string;
  default: string | undefined;
  /** Of a value, where there is no default. */
  example: string | undefined;
  isRequired: boolean;
}

interface Described {
  description?: string;
  default?: string | number;
  examples?: readonly string[];
}

export type ConfigOf<Of extends Settings<unknown>> = ReturnType<Of["read"]>;

export function defineSettings<Schema extends TObject>(
  schema: Schema,
  rules: readonly ConfigRule<Static<Schema>>[] = [],
): Settings<Static<Schema>> {
  return {
    read: (environment) => readConfig(schema, environment, rules),
    variables: Object.entries(schema.properties).map(([name, property]) => {
      const { description = "", default: value, examples: [example] = [] } = property as Described;
      const isRequired = value === undefined && (schema.required?.includes(name) ?? false);
      return { name, description, default: value === undefined ? undefined : String(value), example, isRequired };
    }),
  };
}
