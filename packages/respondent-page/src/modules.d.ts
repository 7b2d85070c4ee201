declare module "*.css";
declare module "survey-core/i18n/*";
