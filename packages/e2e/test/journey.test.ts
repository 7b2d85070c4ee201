import { wholeJourney } from "./journey/whole-journey.ts";

wholeJourney();
