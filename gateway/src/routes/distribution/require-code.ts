import { validationFailed } from "@canvass/inputs";
import type { Distributor } from "@canvass/proto/distribution";

/** Returns the shared code. Throws `validation_failed` for a distributor with one link per person. */
export function requireCode({ code, type }: Distributor): string {
  if (code !== "") return code;
  const message = `must be a link or an embed: of a ${type} each person has an own address`;
  throw validationFailed([{ path: "distributorId", message }]);
}
