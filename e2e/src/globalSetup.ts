import { provideCore } from "@nido/test-kit/testCore";

export default provideCore;
