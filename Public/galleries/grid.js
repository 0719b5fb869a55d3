// The product grid: filters, and the buttons of the product row.
import "./products.js";
import "/js/filters/facets.js";
import "/js/filters/filters.js";
import "/js/filters/search.js";
