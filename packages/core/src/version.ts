/** The version of ng-ssr, as in the package.json of each package. */
export const VERSION = '0.1.0';
