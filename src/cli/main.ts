export async function main(): Promise<void> { console.log(process.version, process.argv); }
