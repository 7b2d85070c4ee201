import { PROCESSES, variablesOf } from "@canvass/processes";
import { expect, describe, test } from "vitest";
import { settingsOf } from "../settings-of.ts";
import { readSettings, settingsPath, renderSettings } from "./settings-file.ts";

describe.each(PROCESSES.map((definition) => [definition.name, definition] as const))("%s", (name, definition) => {
  test("settings.env shows what the process reads; `vitest -u` writes it", async () => {
    await expect(await renderSettings(definition)).toMatchFileSnapshot(settingsPath(name));
  });

  test("its values, defaults and examples, are valid", async () => {
    const { read } = await settingsOf(definition);
    const secrets = variablesOf(definition).secrets.map((variable): [string, string] => [variable, "A".repeat(43)]);
    const faults = faultsOf(() => read(Object.fromEntries([...secrets, ...readSettings(name)])));
    // Files that examples name do not exist.
    const checked = readSettings(name).filter(([variable]) => !variable.endsWith("_FILE"));
    expect(checked.filter(([variable]) => faults.includes(`${variable} `))).toEqual([]);
  });
});

/** The message tells every variable at fault, secrets among them. */
function faultsOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
