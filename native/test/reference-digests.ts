/**
 * Length and XXH3-64 digest (seed 0) of the first bytes of `referenceBytes`, printed by a C program
 * around xxHash 0.8.3's own header. Lengths lie on both sides of every boundary of the algorithm
 * (16, 128, 240, stripes of 64, blocks of 1024) and of the twin's window (126976).
 */
export const referenceDigests: [length: number, digest: string][] = [
  [0, '2d06800538d394c2'],
  [1, 'c44bdff4074eecdb'],
  [2, 'ab021bde2b1db2b2'],
  [3, 'debf4f403bcd5a9a'],
  [4, '0ba38ac680f2f1ee'],
  [5, '51a82c3730138520'],
  [8, 'a38bbc164ed5e81c'],
  [9, 'ef7a2900ce1922d0'],
  [12, '5d1e3d1c7025c0d4'],
  [16, '5f864aa21b10a83d'],
  [17, '34bb2f7246262c5f'],
  [32, '734552d05b2ec2ea'],
  [33, 'fb0f44683adfdbcd'],
  [64, '863fcdf66a7648e9'],
  [65, '83048677b80c3274'],
  [96, '73041cb706dfd4e5'],
  [97, '153e6418aa1b3ea1'],
  [128, '389bcab444a963bf'],
  [129, 'cca86eaf8058f9e1'],
  [143, '336497e27e526fde'],
  [144, '6283c0de590684b6'],
  [192, 'aff5d29689b72c31'],
  [239, '8e2bebf342d10948'],
  [240, 'b44d892026d61c36'],
  [241, '903b6618581918fd'],
  [255, '723b5e29101d720b'],
  [256, 'c02bb9cab558c2fb'],
  [257, '10ef378849bcd3d9'],
  [319, '6af7ce9b9b5f0668'],
  [320, 'ae6f282ed57b154c'],
  [321, '33fb1e9e81c53090'],
  [512, '33de8863790f2613'],
  [1023, 'ed96dce99c442fa1'],
  [1024, '59cfe8c14357b9bd'],
  [1025, '50b82fcdb4ee87bf'],
  [1087, '45b3087b6b78a52f'],
  [1088, '87a1cb5c0d80c64f'],
  [1089, 'e437853afc6df562'],
  [2048, 'adcd9d0ad3c581ed'],
  [2049, '34d3b716b21f15de'],
  [4096, 'ae50ac254f2b6a7f'],
  [69632, '11be4bd95b2086fe'],
  [126975, '7baef0802388b035'],
  [126976, 'b9197147bda89278'],
  [126977, '35a4acd3a1c3cdb6'],
  [127999, '72e34eead3644cf0'],
  [128000, 'f7dfad2b180370d2'],
  [128001, 'e332408ba070e648'],
  [253952, '02b90c5bc3ed2682'],
  [253953, 'd6e2c3f51a805587'],
  [1048576, 'f2e2267e03be99cf'],
  [1048577, '9ebcb84c69bfbab9'],
];

/** The high bytes of the linear congruential generator x * 1664525 + 1013904223, from x = 0. */
export function referenceBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let x = 0;
  for (let i = 0; i < length; i++) {
    bytes[i] = x >>> 24;
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
  }
  return bytes;
}
