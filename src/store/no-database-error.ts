export class NoDatabaseError extends Error {
  readonly code = "NoDatabase";
  constructor(file: string) {
    super(`${file} does not exist. DATABASE_URL names the database.`);
    this.name = "NoDatabaseError";
  }
}
