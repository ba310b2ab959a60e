import { provideCore } from "@nido/server/testing/testCore";

export default provideCore;
