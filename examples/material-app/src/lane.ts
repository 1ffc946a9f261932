/** Where hits are answered, for the comparison of lanes: LANE=front, else in the pipeline. */
export const lane = process.env['LANE'] === 'front' ? 'front' : 'pipeline';
