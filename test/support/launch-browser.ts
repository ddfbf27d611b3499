import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

const systemBrowser = "/usr/bin/chromium";
const cache = resolve("node_modules/.cache");

/** The system's browser, or else the one from a package. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserFile(), args: ["--no-sandbox"] });
}

/** Whether a browser should start here. The package has a program for Linux on x64 only. */
export function hasBrowser(): boolean {
  return existsSync(systemBrowser) || (process.platform === "linux" && process.arch === "x64");
}

/** Unpacks the package's browser once, before the test processes start. */
export function setup(): void {
  if (hasBrowser()) browserFile();
}

function browserFile(): string {
  if (existsSync(systemBrowser)) return systemBrowser;
  const { version }: { version: string } = JSON.parse(
    readFileSync("node_modules/@sparticuz/chromium/package.json", "utf8"),
  );
  const folder = join(cache, `chromium-${version}`);
  const file = join(folder, "chromium");
  if (!existsSync(file)) unpack(folder);
  return file;
}

/** Unpacks next to the final place first, so that place is always complete, even with parallel or killed runs. */
function unpack(folder: string): void {
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(`${folder}-`);
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  try {
    // The package unpacks into the temporary folder.
    const env = { ...process.env, TMPDIR: unpacked };
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { env });
    renameSync(unpacked, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
