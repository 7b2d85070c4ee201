import { testAnyQuestionnaires } from "../../../test/any-questionnaires.ts";

testAnyQuestionnaires({ forms: 200, files: 500, values: 500 });
