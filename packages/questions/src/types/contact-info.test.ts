import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";
import { contactInfo } from "./contact-info.ts";

test("takes the parts it shows", () => {
  expect(
    surprises(sampleQuestion("contact_info"), {
      good: [{ firstName: "Ada" }, { email: "ada@example.org", phone: "", lastName: "L." }],
      bad: [
        [{}, "", "at least one part"],
        [{ firstName: "" }, "", "at least one part"],
        [{ firstName: "\u200b", lastName: " \ufeff" }, "", "at least one part"],
        ["Ada", "", "object"],
        [{ city: "Graz" }, "city", "not asked for"],
        [{ shoeSize: "42" }, "shoeSize", "not a part"],
        [JSON.parse('{"__proto__": "x"}'), "__proto__", "not a part"],
        [{ firstName: 1 }, "firstName", "must be text"],
        [{ firstName: "x".repeat(301) }, "firstName", "at most 300"],
        [{ email: "ada" }, "email", "e-mail"],
        [{ phone: "call me" }, "phone", "phone"],
      ],
    }),
  ).toEqual([]);
});

test("asks for the parts that are required", () => {
  const parts = { email: { required: true }, city: { show: true }, firstName: { show: false } };
  expect(
    surprises(sampleQuestion("contact_info", { typeSettings: { parts } }), {
      good: [{ email: "a@b.co", city: "Graz" }],
      bad: [
        [{ city: "Graz" }, "email", "required"],
        [{ email: "", city: "Graz" }, "email", "required"],
        [{ email: "\u2060", city: "Graz" }, "email", "required"],
        [{ email: "a@b.co", firstName: "Ada" }, "firstName", "not asked for"],
      ],
    }),
  ).toEqual([]);
});

test("a part that is required must be shown, and one part at least", () => {
  const violationsOf = (parts: Record<string, unknown>) =>
    buildQuestions([{ type: 18, text: "x", typeSettings: { parts } }], countingIds());
  expect(violationsOf({ city: { required: true } })).toMatchObject({
    violations: [{ path: "questions.0.typeSettings.parts.city.required", message: "needs show" }],
  });
  const hidden = Object.fromEntries(["firstName", "lastName", "email", "phone"].map((name) => [name, { show: false }]));
  expect(violationsOf(hidden)).toMatchObject({ violations: [{ path: "questions.0.typeSettings.parts" }] });
  expect(violationsOf({ shoeSize: { show: true } })).toMatchObject({
    violations: [{ path: "questions.0.typeSettings.parts.shoeSize" }],
  });
});

test("a part that shows nothing is not counted, and needs no format", () => {
  const value = { firstName: "Ada", email: "\u200b" };
  expect(contactInfo.checkValue(sampleQuestion("contact_info"), value)).toEqual([]);
  expect(contactInfo.tally(sampleQuestion("contact_info"), value).buckets).toEqual({ firstName: 1 });
});

test("distribution and export follow the shown parts", () => {
  const question = sampleQuestion("contact_info");
  expect(distributionOf(question, [{ firstName: "Ada", email: "a@b.co" }, { firstName: "Bob" }])).toEqual({
    counts: { firstName: 2, lastName: 0, email: 1, phone: 0 },
  });
  expect(contactInfo.exportColumns(question).map(({ text }) => text)).toEqual([
    "What?: First name",
    "What?: Last name",
    "What?: E-mail",
    "What?: Phone",
  ]);
  expect(contactInfo.exportCells(question, { email: "a@b.co" })).toEqual([null, null, "a@b.co", null]);
});
