import { testAllTrouble } from "./trouble/all-trouble.ts";

testAllTrouble();
