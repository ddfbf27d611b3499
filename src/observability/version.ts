import packageJson from "../../package.json" with { type: "json" };

/** Set by the build: package.json, `bundle`. */
declare const CURFEW_COMMIT: string | undefined;

export const { version } = packageJson;

/** What the bundle was built from. */
export const commit = typeof CURFEW_COMMIT === "undefined" ? "unknown" : CURFEW_COMMIT;

/** For people. */
export const versionText = `Curfew ${version} (${commit})`;
