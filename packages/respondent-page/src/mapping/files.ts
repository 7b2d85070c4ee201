import { heading, sameValue, type MappedType } from "./mapped-type.ts";

/** The page draws this type itself (page/file-question.ts). */
export const fileUpload: MappedType = {
  draw(question, name) {
    const { maxFiles, maxSizeMb, extensions } = question.settings;
    return { ...heading(question, name), type: "files", maxFiles, maxSizeMb, extensions };
  },
  toData: sameValue.toData,
  toValue: (data, name) => (Array.isArray(data[name]) && data[name].length > 0 ? data[name] : undefined),
};
