import { allTrouble } from "./trouble/all-trouble.ts";

allTrouble();
