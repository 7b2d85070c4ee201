import { type Violation } from "@canvass/inputs";
import { isLongerThan } from "@canvass/values";

const visible = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Visible characters of scripts that use joiners. In other scripts invisible characters only create look-alikes. */
const shaped = String.raw`[${visible}--[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]]`;

/** Invisible characters with a purpose: in emoji, as variation selectors, and as joiners. */
const supporting = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${shaped})\p{VS}|(?<=${shaped}\p{VS}?)\p{Join_Control}(?=${visible})`,
  "gv",
);

/** U+FFFD replaces half a surrogate pair in transit. */
const unshowable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffd]/v;

const anythingVisible = new RegExp(visible, "v");

export function nameViolations(path: string, name: string, maxLength: number): Violation[] {
  const violation = (message: string) => [{ path, message }];
  if (!anythingVisible.test(name)) return violation("must have a visible character");
  if (isLongerThan(name, maxLength)) return violation(`must have at most ${maxLength} characters`);
  if (!unshowable.test(name.replace(supporting, ""))) return [];
  return violation("must hold no control characters, and none that are invisible or broken");
}
