// Short names for the server's types: `import("../../types/api").TableState` in a comment of a
// module. They are generated from docs/openapi.json, so that the page is checked against the current
// API. Types that OpenAPI cannot express are written here: records, as in docs/record.md.

import type { components } from "./openapi.gen";

type Schemas = components["schemas"];

// Tables
export type TableListing = Schemas["TableListing"];
export type TableState = Schemas["TableState"];
export type SeatState = Schemas["SeatState"];
export type RoundView = Schemas["RoundView"];
export type HandView = Schemas["HandView"];
export type BankerView = Schemas["BankerView"];
export type CommitmentView = Schemas["CommitmentView"];
export type Stage = Schemas["Stage"];
export type Awaits = Schemas["Awaits"];
export type Pace = Schemas["Pace"];
export type Opening = Schemas["TableSettings"];
export type PlayNow = Schemas["PlayNow"];
export type Seated = Schemas["Seated"];
export type Order = Schemas["Order"];

/** An event at a table. `event` is its kind, and the other fields depend on the kind. */
export type TableEvent = Schemas["TableEvent"];

export type Done = Schemas["CommandResult"];
export type News = Omit<Schemas["News"], "record" | "telling"> & {
  record?: RoundRecord | null;
  telling?: Telling | null;
};

// People
export type Me = Schemas["Me"];
export type Welcome = Schemas["Welcome"];
export type Kind = Schemas["Kind"];
export type Credentials = Schemas["Credentials"];
export type SessionAnswer = Schemas["SessionAnswer"];
export type MyRound = Schemas["MyRound"];
export type MyRounds = Schemas["MyRounds"];
export type Statistics = Schemas["Statistics"];
export type TableRound = Schemas["TableRound"];
export type TableRoundSeat = Schemas["TableRoundSeat"];

// Houses and numbers
export type House = Schemas["House"];
export type HousePage = Schemas["HousePage"];
export type Limits = Schemas["Limits"];
export type Banking = Schemas["Banking"];
export type PayTable = Schemas["PayTable"];
export type PlacardLine = Schemas["PlacardLine"];
export type GameName = Schemas["GameName"];
export type AdviseAsk = Schemas["AdviceRequest"];
export type AdviceReport = Schemas["AdviceReport"];
export type ActionReport = Schemas["ActionReport"];
export type OddsAsk = Schemas["OddsRequest"];
export type OddsReport = Schemas["OddsReport"];
export type ChartReport = Schemas["ChartReport"];
export type CostAsk = Schemas["CostRequest"];
export type CostReport = Schemas["CostReport"];
export type StrategyPage = Schemas["StrategyPage"];

export type TablePlacard = Schemas["TablePlacard"];

// Tellings of rounds
export type Telling = Schemas["Narration"];
export type ToldSeat = Schemas["NarratedSeat"];
export type ToldWager = Schemas["NarratedWager"];

// Problems and proofs
export type Problem = Schemas["Problem"];
export type Verdict = Schemas["Verdict"];

/** The record of a round, as docs/record.md specifies it. */
export interface RoundRecord {
  format: string;
  house: string | House;
  deck: string[];
  seats: RecordSeat[];
  banker?: { seat: number; wager: number; player?: string };
  bonus_paytable?: string;
  blind_paytable?: string;
  deal?: string;
  deck_colour?: string;
  rules_version?: string;
  shuffle?: {
    version: number;
    table: string;
    round: number;
    commitment: string;
    seed: string;
    seat_seeds?: { seat: number; commitment: string; seed: string }[];
  };
  journal?: { version: number; at: number; previous: string };
  journal_hash?: string;
  void?: string;
  result?: RoundResult;
}

export interface RecordSeat {
  seat: number;
  player?: string;
  ante: number;
  blind?: number;
  bonus?: number;
  actions: string[];
  by_table?: number[];
}

/** The result of a round. */
export interface RoundResult {
  community: string[];
  dealer: { cards: string[]; hand: string; best: string[]; qualifies: boolean };
  seats: ResultSeat[];
  bank: { net: number };
}

export interface ResultSeat {
  seat: number;
  cards: string[];
  hand: string;
  best: string[];
  outcome: "win" | "lose" | "push" | "fold" | "void";
  wagers: Partial<Record<"ante" | "blind" | "play" | "bonus", ResultWager>>;
  net: number;
}

export interface ResultWager {
  staked: number;
  /** Everything returned for it, including the stake. */
  returned: number;
  result: "win" | "lose" | "push" | "returned" | "void";
  uncovered: number;
}
