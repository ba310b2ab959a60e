const [hour, day] = [3_600_000, 24 * 3_600_000];

/**
 * The limits that we keep at each certificate authority: at most those of Let's Encrypt. An order beyond them would
 * fail and count as another failure, so it waits instead.
 */
export const orderLimits = {
  /** new orders of our account in three hours */
  orders: { count: 290, within: 3 * hour },
  /** certificates for one registered domain in a week */
  ofDomain: { count: 48, within: 7 * day },
  /** certificates for the same name in a week */
  ofName: { count: 5, within: 7 * day },
  /** failed orders for the same name */
  failuresOfName: { count: 5, within: hour },
  failuresOfNameDaily: { count: 10, within: day },
  /** failed orders for all names of one customer, who could otherwise use up what all share */
  failuresOfCustomer: { count: 30, within: day },
  /** failed orders of our account in an hour: more point to a fault of ours */
  failures: { count: 200, within: hour },
};

const delays = [1, 5, 15, 30, 60, 120, 240, 480, 1440].map((minutes) => minutes * 60_000);

/** How long to wait after this many failures for a name. Authorities allow five in an hour. */
export function backOff(failures: number): number {
  return delays[Math.min(failures, delays.length) - 1] as number;
}
