import { anyQuestionnaires } from "../../../test/any-questionnaires.ts";

anyQuestionnaires({ forms: 200, files: 500, values: 500 });
