import { validationFailed } from "@canvass/inputs";
import type { Distributor } from "@canvass/proto/distribution";

/** The code by which everybody comes. Throws `validation_failed` for a distributor whose links are for one person each. */
export function requireCode({ code, type }: Distributor): string {
  if (code !== "") return code;
  const message = `must be a link or an embed: of a ${type} each person has an own address`;
  throw validationFailed([{ path: "distributorId", message }]);
}
