import { testWholeJourney } from "./journey/whole-journey.ts";

testWholeJourney();
