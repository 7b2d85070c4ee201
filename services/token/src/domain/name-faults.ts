import { type Fault, isLongerThan } from "@canvass/inputs";

/** Leaves a mark on paper. */
const visible = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Not of the alphabets that need no help: in these an invisible character only makes two names look alike. */
const shaped = String.raw`[${visible}--[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]]`;

/** What nobody sees and still belongs there: inside an emoji, the choice of a variant, the joiners of many scripts. */
const supporting = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${shaped})\p{VS}|(?<=${shaped}\p{VS}?)\p{Join_Control}(?=${visible})`,
  "gv",
);

/** U+FFFD is what becomes of half a surrogate pair on its way here. */
const unshowable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffd]/v;

const anythingVisible = new RegExp(visible, "v");

/**
 * What is wrong with the name of a token, workspace, person or role. It has something to see in it, as many characters
 * as people count, and none that a list could not show or that would turn the text around it.
 */
export function nameFaults(path: string, name: string, maxLength: number): Fault[] {
  const fault = (message: string) => [{ path, message }];
  if (!anythingVisible.test(name)) return fault("A name is required.");
  if (isLongerThan(name, maxLength)) return fault(`A name has at most ${maxLength} characters.`);
  if (!unshowable.test(name.replace(supporting, ""))) return [];
  return fault("A name holds no control characters, and none that are invisible or broken.");
}
