/** The cache tag of all categories: their names, their fields and which is below which. */
export const categoriesCacheTag = 'categories'
