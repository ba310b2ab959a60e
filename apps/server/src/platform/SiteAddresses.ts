/** The scheme, domain and IP addresses at which customers' sites answer. */
export interface SiteAddresses {
  scheme: string;
  /** SITES_DOMAIN, with the port unless it is the scheme's default */
  domain: string;
  /** one certificate covers all names below SITES_DOMAIN */
  hasWildcard: boolean;
  /** the dashboard's own host, which no site can have */
  appHost: string;
  /** IP addresses for domains that cannot be a CNAME */
  addresses: string[];
}
