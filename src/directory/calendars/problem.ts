/** Why a calendar cannot be read, in words for everybody: without any part of its content, and without its address. */
export interface Problem {
  readonly problem: string;
}
