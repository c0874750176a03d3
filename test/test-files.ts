// Which files are tests of what. `unit` needs nothing but Node; `real` and `conformance` use the real components of
// test/services.
export const testFiles = {
  unit: [
    '{src,bench}/**/*.test.ts',
    'test/*.test.ts',
    'test/{architecture,docs,mutations,storm}/**/*.test.ts',
  ],
  real: [
    'test/{services,integration,conformance-platforms,containment}/**/*.test.ts',
    'test/conformance/{broken,matrix}.test.ts',
  ],
  conformance: ['test/conformance/*columns.test.ts'],
};
