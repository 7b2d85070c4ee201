import fc from "fast-check";

// global-setup.ts draws it for the whole run.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["CANVASS_PROPERTY_SEED"]) });
