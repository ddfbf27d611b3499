import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const systemBrowser = "/usr/bin/chromium";

/** The system's own, or else the one that a package brings along. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: ["--no-sandbox"] });
}

async function executable(): Promise<string> {
  if (existsSync(systemBrowser)) return systemBrowser;
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
