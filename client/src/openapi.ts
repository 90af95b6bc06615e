// Generated from docs/generated/openapi.json by `npm run generate`.

export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Reads the root, whose links lead to every resource the caller may use.
         * @description For everyone.
         */
        readonly get: operations["getEntry"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/problems": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explains every error code.
         * @description For everyone.
         */
        readonly get: operations["getProblems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/problems/{code}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the problem. */
                readonly code: 4001 | 4002 | 4003 | 4004 | 4011 | 4012 | 4013 | 4031 | 4032 | 4033 | 4041 | 4042 | 4051 | 4061 | 4081 | 4091 | 4092 | 4093 | 4094 | 4101 | 4121 | 4131 | 4141 | 4151 | 4152 | 4221 | 4222 | 4223 | 4281 | 4291 | 4311 | 5001 | 5021 | 5031 | 5041;
            };
            readonly cookie?: never;
        };
        /**
         * Explains an error code.
         * @description For everyone.
         */
        readonly get: operations["getProblem"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the OpenAPI document.
         * @description For everyone.
         */
        readonly get: operations["getOpenApiDocument"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the interactive reference; works without internet access.
         * @description For everyone.
         */
        readonly get: operations["getReference"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/tasks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns a worked example of each of the commonest tasks.
         * @description For everyone.
         */
        readonly get: operations["getTasks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/reference.js": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the script of the interactive reference.
         * @description For everyone.
         */
        readonly get: operations["getReferenceScript"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/changes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the differences between the versions.
         * @description For everyone.
         */
        readonly get: operations["getVersionChanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/api-catalog": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns where the API, its description and its status are.
         * @description For everyone.
         */
        readonly get: operations["getApiCatalog"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/live": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Answers 200 while the process runs; restart the process when it does not answer.
         * @description For everyone.
         */
        readonly get: operations["checkLiveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Answers 200 while the process accepts requests: the database is reachable and migrated.
         * @description With `verbose`, for administrators with the scope `events:read`, `event_sinks` has the state of each message broker that gets events. Credentials are ignored without it. For everyone.
         */
        readonly get: operations["checkReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the metrics in the Prometheus text format.
         * @description Only for clients on this machine while METRICS_TOKEN is not set.
         */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the products of the catalogue.
         * @description For everyone.
         */
        readonly get: operations["listProducts"];
        readonly put?: never;
        /**
         * Creates a product.
         * @description For administrators. Scope: `products:write`.
         */
        readonly post: operations["createProduct"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a product.
         * @description For everyone.
         */
        readonly get: operations["getProduct"];
        /**
         * Replaces a product.
         * @description For administrators. Scope: `products:write`.
         */
        readonly put: operations["replaceProduct"];
        readonly post?: never;
        /**
         * Removes a product from the catalogue.
         * @description For administrators. Scope: `products:write`.
         */
        readonly delete: operations["deleteProduct"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a product.
         * @description For administrators. Scope: `products:write`.
         */
        readonly patch: operations["updateProduct"];
        readonly trace?: never;
    };
    readonly "/products/{productId}/related": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the products bought together with a product, then those of its category.
         * @description For everyone.
         */
        readonly get: operations["listRelatedProducts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}/variants": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the variants of a product.
         * @description For everyone.
         */
        readonly get: operations["listVariants"];
        readonly put?: never;
        /**
         * Creates a variant of a product, or up to 100 of them, all or none.
         * @description Its name and price are those of the product unless the body has others. For administrators. Scope: `products:write`.
         */
        readonly post: operations["createVariant"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}/images": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the images of a product.
         * @description For everyone.
         */
        readonly get: operations["listImages"];
        readonly put?: never;
        /**
         * Adds an image as the last one of a product.
         * @description For administrators. Scopes: `files:write` and `products:write`.
         */
        readonly post: operations["createImage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}/images/{imageId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the image. */
                readonly imageId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an image of a product.
         * @description For everyone.
         */
        readonly get: operations["getImage"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Removes an image of a product; the others move up.
         * @description For administrators. Scopes: `files:write` and `products:write`.
         */
        readonly delete: operations["deleteImage"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the text or the position of an image; the others make room.
         * @description For administrators. Scopes: `files:write` and `products:write`.
         */
        readonly patch: operations["updateImage"];
        readonly trace?: never;
    };
    readonly "/files/{fileName}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The file name. */
                readonly fileName: string;
            };
            readonly cookie?: never;
        };
        /**
         * Returns an image, which never changes at its URL.
         * @description For everyone.
         */
        readonly get: operations["getImageFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/categories": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the categories.
         * @description The public sees no category that only hidden products name. For everyone.
         */
        readonly get: operations["listCategories"];
        readonly put?: never;
        /**
         * Creates a category.
         * @description For administrators. Scope: `products:write`.
         */
        readonly post: operations["createCategory"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/categories/{categoryId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the category. */
                readonly categoryId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a category.
         * @description For everyone.
         */
        readonly get: operations["getCategory"];
        /**
         * Replaces a category; a new name is that of its products too.
         * @description For administrators. Scope: `products:write`.
         */
        readonly put: operations["replaceCategory"];
        readonly post?: never;
        /**
         * Removes a category without products and without others below it.
         * @description For administrators. Scope: `products:write`.
         */
        readonly delete: operations["deleteCategory"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a category, or moves it below another one.
         * @description A new name is that of its products, tax rates and discounts too. For administrators. Scope: `products:write`.
         */
        readonly patch: operations["updateCategory"];
        readonly trace?: never;
    };
    readonly "/products/{productId}/prices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the prices that a product has and had, the newest first.
         * @description A price is kept for 400 days after it has ended. For administrators. Scope: `products:write`.
         */
        readonly get: operations["listPrices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/feeds/google-merchant": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns all products and variants for Google Merchant Center.
         * @description For everyone.
         */
        readonly get: operations["getGoogleMerchantFeed"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sitemap": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the pages of all products for search engines.
         * @description For everyone.
         */
        readonly get: operations["getSitemap"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sitemap/{part}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The part. */
                readonly part: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Returns a sitemap of the index.
         * @description For everyone.
         */
        readonly get: operations["getSitemapPart"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}/reviews": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the reviews of a product.
         * @description For everyone.
         */
        readonly get: operations["listReviews"];
        readonly put?: never;
        /**
         * Creates a review of a product that the caller has bought.
         * @description Guests have to register first. For signed-in users. Scope: `reviews:write`.
         */
        readonly post: operations["createReview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/products/{productId}/reviews/{reviewId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the review. */
                readonly reviewId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a review of a product.
         * @description For everyone.
         */
        readonly get: operations["getReview"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Removes a review.
         * @description For the owner of the review, and administrators. Scope: `reviews:write`.
         */
        readonly delete: operations["deleteReview"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a review; only administrators hide and publish it.
         * @description For the owner of the review, and administrators. Scope: `reviews:write`.
         */
        readonly patch: operations["updateReview"];
        readonly trace?: never;
    };
    readonly "/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the users.
         * @description For administrators. Scope: `users:read`.
         */
        readonly get: operations["listUsers"];
        readonly put?: never;
        /**
         * Signs up a user.
         * @description For everyone.
         */
        readonly post: operations["signUp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a user.
         * @description For that user, and administrators. Scope: `users:read`.
         */
        readonly get: operations["getUser"];
        /**
         * Replaces a user; absent username, password, role, status and language stay.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly put: operations["replaceUser"];
        readonly post?: never;
        /**
         * Removes a user and all personal data; orders stay, anonymised.
         * @description An API key or a token of an application only requests the erasure, as `POST /user/delete` does: 202. For that user, and administrators. Needs a sign-in of the last ten minutes; API keys and tokens of applications need neither. Scope: `users:write`.
         */
        readonly delete: operations["deleteUser"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a user.
         * @description A guest who gets a password is a customer; the tokens of the guest end. For that user, and administrators. Scope: `users:write`.
         */
        readonly patch: operations["updateUser"];
        readonly trace?: never;
    };
    readonly "/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Signs in, or renews the tokens of a session.
         * @description For everyone.
         */
        readonly post: operations["logIn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the sessions of the caller or, for administrators, of another user.
         * @description For signed-in users. Scope: `users:read`.
         */
        readonly get: operations["listSessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions/{sessionId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the session. */
                readonly sessionId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a session.
         * @description For the owner of the session, and administrators. Scope: `users:read`.
         */
        readonly get: operations["getSession"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Signs out: ends a session; its tokens or cookie are rejected from the next request on.
         * @description For the owner of the session, and administrators who have proved their password. Scope: `users:write`.
         */
        readonly delete: operations["endSession"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/guests": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Makes a guest, who may buy without an account, and signs in as the guest.
         * @description The link `register` of the guest makes an account of it; `guest_token` at `POST /login` moves cart and orders into another account. For everyone.
         */
        readonly post: operations["startAsGuest"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-resets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends a mail with a link to choose a new password, if there is an account with the address; answers the same if there is none.
         * @description For everyone.
         */
        readonly post: operations["requestPasswordReset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-resets/{token}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the password reset. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        /**
         * Reads whether the link of a mail still works.
         * @description For everyone.
         */
        readonly get: operations["getPasswordReset"];
        /**
         * Sets a new password by the token of a mail, once, within an hour; ends all sessions, API keys, grants, acting clients and webhooks of the user.
         * @description For everyone.
         */
        readonly put: operations["resetPassword"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/email-confirmations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends the mail again with which a user confirms the address.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly post: operations["requestEmailConfirmation"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/email-confirmations/{token}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the email confirmation. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        /**
         * Reads whether the link of a mail still works.
         * @description For everyone.
         */
        readonly get: operations["getEmailConfirmation"];
        /**
         * Confirms an address by the token of a mail, once, within three days.
         * @description For everyone.
         */
        readonly put: operations["confirmEmail"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/email-rejections/{token}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the email rejection. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        /**
         * Reads whether the link of a mail still works.
         * @description For everyone.
         */
        readonly get: operations["getEmailRejection"];
        /**
         * Frees an address whose holder did not sign up, by the token of a mail; ends all that was made in the account.
         * @description For everyone.
         */
        readonly put: operations["rejectEmail"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/address-changes/{token}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the address change. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        /**
         * Reads whether the link of a mail still works.
         * @description For everyone.
         */
        readonly get: operations["getAddressChange"];
        /**
         * Restores the former address by the token of a mail, once, within 72 hours; ends all sessions, keys and the password of the user.
         * @description For everyone.
         */
        readonly put: operations["undoAddressChange"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/profile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Reads the profile of the caller.
         * @description For signed-in users. Scope: `users:read`.
         */
        readonly get: operations["getProfile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/addresses": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the addresses of a user.
         * @description For that user, and administrators. Scope: `users:read`.
         */
        readonly get: operations["listAddresses"];
        readonly put?: never;
        /**
         * Saves an address; the first is the default.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly post: operations["createAddress"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/addresses/{addressId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the address. */
                readonly addressId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an address.
         * @description For that user, and administrators. Scope: `users:read`.
         */
        readonly get: operations["getAddress"];
        /**
         * Replaces an address; orders keep their copies.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly put: operations["replaceAddress"];
        readonly post?: never;
        /**
         * Removes an address; after the default, the oldest becomes the default.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly delete: operations["deleteAddress"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of an address; orders keep their copies.
         * @description For that user, and administrators. Scope: `users:write`.
         */
        readonly patch: operations["updateAddress"];
        readonly trace?: never;
    };
    readonly "/user/delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Reads the scheduled erasure of the caller.
         * @description For signed-in users. Scope: `users:read`.
         */
        readonly get: operations["getErasure"];
        readonly put?: never;
        /**
         * Requests the erasure of the account and the personal data of the caller.
         * @description For signed-in users. Needs a sign-in of the last ten minutes, or the password in `current_password`; API keys and tokens of applications need neither. Scope: `users:write`.
         */
        readonly post: operations["requestErasure"];
        /**
         * Withdraws the erasure of the caller.
         * @description For signed-in users. Scope: `users:write`.
         */
        readonly delete: operations["withdrawErasure"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/cart": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a cart with its items.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly get: operations["getCart"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Empties a cart.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly delete: operations["emptyCart"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/cart": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Reads the cart of the caller with its items.
         * @description For signed-in users. Scope: `carts:write`.
         */
        readonly get: operations["getOwnCart"];
        readonly put?: never;
        /**
         * Adds a product to the cart, or to the quantity of its existing item.
         * @description For signed-in users. Scope: `carts:write`.
         */
        readonly post: operations["addToCart"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/cart/discount": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Applies a discount to a cart by its code.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly put: operations["replaceCartDiscount"];
        readonly post?: never;
        /**
         * Removes the discount of a cart.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly delete: operations["deleteCartDiscount"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/cart/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads whether a cart can be ordered.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly get: operations["getCartStatus"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/cart/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the items of a cart.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly get: operations["listCartItems"];
        readonly put?: never;
        /**
         * Adds a product to the cart, or to the quantity of its existing item.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly post: operations["addCartItem"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/cart/items/{itemId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the cart item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an item of a cart.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly get: operations["getCartItem"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Removes an item from the cart.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly delete: operations["removeCartItem"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the quantity of an item.
         * @description For that user, and administrators. Scope: `carts:write`.
         */
        readonly patch: operations["updateCartItem"];
        readonly trace?: never;
    };
    readonly "/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the orders of the caller or, for administrators, of all users.
         * @description For signed-in users. Scope: `orders:read`.
         */
        readonly get: operations["listOrders"];
        readonly put?: never;
        /**
         * Places an order of the items in the body or, without any, of the cart.
         * @description Unless its method is `pickup`, it can be paid once its shipping has a recipient and an address. For signed-in users. Scope: `orders:write`.
         */
        readonly post: operations["placeOwnOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getOrder"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the status of an order, or the note of a pending one.
         * @description A status that returns money requires `refunds:write`, too. For the owner of the order, and administrators. Scope: `orders:write`.
         */
        readonly patch: operations["updateOrder"];
        readonly trace?: never;
    };
    readonly "/users/{id}/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the orders of a user.
         * @description For that user, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["listUserOrders"];
        readonly put?: never;
        /**
         * Places an order of the items in the body or, without any, of the cart.
         * @description Unless its method is `pickup`, it can be paid once its shipping has a recipient and an address. For that user, and administrators. Scope: `orders:write`.
         */
        readonly post: operations["placeOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/orders/{orderId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an order.
         * @description For that user, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getUserOrder"];
        /**
         * Replaces items, shipping and note of a pending order.
         * @description Prices other items, another method or another address anew, with the code of the order; else all amounts stay. For that user, and administrators. Scope: `orders:write`.
         */
        readonly put: operations["replaceUserOrder"];
        readonly post?: never;
        /**
         * Removes a pending or cancelled order that was never paid.
         * @description For that user, and administrators. Scope: `orders:write`.
         */
        readonly delete: operations["deleteUserOrder"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the status of an order, or the note of a pending one.
         * @description A status that returns money requires `refunds:write`, too. For that user, and administrators. Scope: `orders:write`.
         */
        readonly patch: operations["updateUserOrder"];
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the items of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["listOrderItems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/items/{itemId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an item of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getOrderItem"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/shipping": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads the shipping of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getOrderShipping"];
        /**
         * Replaces the shipping of an order; PATCH changes some fields and keeps the others.
         * @description For the owner of the order, and administrators. Scope: `orders:write`.
         */
        readonly put: operations["replaceOrderShipping"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of the shipping of an order; the others stay as they are.
         * @description Administrators ship a paid order by the status `in_transit`, with `carrier` and `tracking_number`. For the owner of the order, and administrators. Scope: `orders:write`.
         */
        readonly patch: operations["updateOrderShipping"];
        readonly trace?: never;
    };
    readonly "/users/{id}/orders/{orderId}/payment": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the payments of an order.
         * @description For that user, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["listOrderPayments"];
        readonly put?: never;
        /**
         * Pays for an order.
         * @description Answers 202 while the provider decides or the buyer has to act (`next_action`); meanwhile the order takes no other payment, and cancelling it ends this one. Answers 409 while a recipient or address is missing. For that user, and administrators. Scope: `payments:write`.
         */
        readonly post: operations["payOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/payments/{paymentId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the payment. */
                readonly paymentId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a payment.
         * @description For the owner of the payment, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getPayment"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/refunds": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the refunds of an order.
         * @description For administrators. Scope: `orders:read`.
         */
        readonly get: operations["listOrderRefunds"];
        readonly put?: never;
        /**
         * Returns an amount, pieces, the shipping cost or all that is left of a paid order; answers 202 while the provider decides.
         * @description For administrators. Scope: `refunds:write`.
         */
        readonly post: operations["refundOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/refunds/{refundId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the refund. */
                readonly refundId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a refund of an order.
         * @description For administrators. Scope: `orders:read`.
         */
        readonly get: operations["getRefund"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/parcels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the parcels of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["listOrderParcels"];
        readonly put?: never;
        /**
         * Sends pieces of a paid order, by default all that were not sent yet, in a parcel.
         * @description The order is `shipped` once every piece that needs shipping is in a parcel or refunded. For administrators. Scope: `orders:write`.
         */
        readonly post: operations["sendParcel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/parcels/{parcelId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the parcel. */
                readonly parcelId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a parcel of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getParcel"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Removes a parcel that was not delivered; its pieces are to be sent again.
         * @description For administrators. Scope: `orders:write`.
         */
        readonly delete: operations["deleteParcel"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the tracking of a parcel, or marks it as delivered.
         * @description The order is `delivered` once all is sent and every parcel is. For administrators. Scope: `orders:write`.
         */
        readonly patch: operations["updateParcel"];
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/returns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the returns of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["listOrderReturns"];
        readonly put?: never;
        /**
         * Asks for the return of pieces of an order, or withdraws from their contract.
         * @description It is possible from the sending until some days (`RETURN_DAYS`) after the delivery. For the owner of the order, and administrators. Scope: `orders:write`.
         */
        readonly post: operations["requestReturn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/orders/{orderId}/returns/{returnId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the return. */
                readonly returnId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a return of an order.
         * @description For the owner of the order, and administrators. Scope: `orders:read`.
         */
        readonly get: operations["getReturn"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Approves, rejects or receives a return, or refunds what was received.
         * @description `refund: true` refunds the pieces, without shipping, and needs `refunds:write`, too. For administrators. Scope: `returns:write`.
         */
        readonly patch: operations["updateReturn"];
        readonly trace?: never;
    };
    readonly "/withdrawals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Withdraws from the contract for an order, without signing in; answers the same whether there is such an order or not.
         * @description Where number and address match, the order gets a return of the kind `withdrawal`, and its buyer a mail that confirms what was declared, and when. For everyone.
         */
        readonly post: operations["withdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/purchases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the purchases of the caller or, for administrators, of all users.
         * @description For signed-in users. Scope: `purchases:read`.
         */
        readonly get: operations["listPurchases"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/purchases/{purchaseId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the purchase. */
                readonly purchaseId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a purchase.
         * @description For the owner of the purchase, and administrators. Scope: `purchases:read`.
         */
        readonly get: operations["getPurchase"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the API keys of the caller or, for administrators, of all users.
         * @description For signed-in users. Scope: `keys:write`.
         */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /**
         * Creates an API key, which only this response shows.
         * @description Send it as `Authorization: Api-Key cw_…`. A user may have 100 keys. For signed-in users. Needs a sign-in of the last ten minutes, or the password in `current_password`; API keys and tokens of applications need neither. Scope: `keys:write`.
         */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api-keys/{keyId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an API key.
         * @description For the owner of the api_key, and administrators. Scope: `keys:write`.
         */
        readonly get: operations["getApiKey"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Revokes an API key and all keys created with it, from the next request on.
         * @description For the owner of the api_key, and administrators who have proved their password. Scope: `keys:write`.
         */
        readonly delete: operations["revokeApiKey"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes the name of an API key, or its rate limit, which only administrators set.
         * @description For the owner of the api_key, and administrators who have proved their password. Scope: `keys:write`.
         */
        readonly patch: operations["updateApiKey"];
        readonly trace?: never;
    };
    readonly "/api-keys/{keyId}/rotations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replaces the secret of an API key; only this response shows the new one.
         * @description For the owner of the api_key, and administrators. Needs a sign-in of the last ten minutes, or the password in `current_password`; API keys and tokens of applications need neither. Scope: `keys:write`.
         */
        readonly post: operations["rotateApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth-clients": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the registered clients.
         * @description For administrators. Scope: `keys:write`.
         */
        readonly get: operations["listOauthClients"];
        readonly put?: never;
        /**
         * Registers a client, whose secret only this response shows.
         * @description For administrators who have proved their password. Needs a sign-in of the last ten minutes, or the password in `current_password`; API keys and tokens of applications need neither. Scope: `keys:write`.
         */
        readonly post: operations["registerOauthClient"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth-clients/{oauthClientId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads the registration of a client.
         * @description For administrators. Scope: `keys:write`.
         */
        readonly get: operations["getOauthClient"];
        /**
         * Replaces the registration of a client; client_id and secret stay.
         * @description A change that lets the client do more needs a sign-in of the last ten minutes, or the password in `current_password`. For administrators who have proved their password. Scope: `keys:write`.
         */
        readonly put: operations["replaceOauthClient"];
        readonly post?: never;
        /**
         * Removes a client and revokes every token issued to it.
         * @description For administrators who have proved their password. Scope: `keys:write`.
         */
        readonly delete: operations["deleteOauthClient"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a client.
         * @description A change that lets the client do more needs a sign-in of the last ten minutes, or the password in `current_password`. For administrators who have proved their password. Scope: `keys:write`.
         */
        readonly patch: operations["updateOauthClient"];
        readonly trace?: never;
    };
    readonly "/oauth-clients/{oauthClientId}/rotations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replaces the secret of a client; only this response shows the new one.
         * @description For administrators who have proved their password. Needs a sign-in of the last ten minutes, or the password in `current_password`; API keys and tokens of applications need neither. Scope: `keys:write`.
         */
        readonly post: operations["rotateOauthClientSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth-consents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the consents of the caller or, for administrators, of another user.
         * @description For signed-in users. Scope: `keys:write`.
         */
        readonly get: operations["listOauthConsents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth-consents/{consentId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the oauth consent. */
                readonly consentId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads what a user allows an application to do.
         * @description For the owner of the oauth_consent, and administrators. Scope: `keys:write`.
         */
        readonly get: operations["getOauthConsent"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Withdraws a consent and revokes its tokens, from the next request on.
         * @description For the owner of the oauth_consent, and administrators who have proved their password. Scope: `keys:write`.
         */
        readonly delete: operations["withdrawOauthConsent"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/shipping-methods": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the shipping methods; administrators see inactive ones too.
         * @description For everyone.
         */
        readonly get: operations["listShippingMethods"];
        readonly put?: never;
        /**
         * Creates a shipping method.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly post: operations["createShippingMethod"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/shipping-methods/{shippingMethodId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the shipping method. */
                readonly shippingMethodId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a shipping method.
         * @description For everyone.
         */
        readonly get: operations["getShippingMethod"];
        /**
         * Replaces a shipping method; its code stays.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly put: operations["replaceShippingMethod"];
        readonly post?: never;
        /**
         * Removes a shipping method; orders keep its code and cost.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly delete: operations["deleteShippingMethod"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a shipping method.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly patch: operations["updateShippingMethod"];
        readonly trace?: never;
    };
    readonly "/tax-rates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the tax rates.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly get: operations["listTaxRates"];
        readonly put?: never;
        /**
         * Creates a tax rate, for orders placed from now on.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly post: operations["createTaxRate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/tax-rates/{taxRateId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the tax rate. */
                readonly taxRateId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a tax rate.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly get: operations["getTaxRate"];
        /**
         * Replaces a tax rate, for orders placed from now on.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly put: operations["replaceTaxRate"];
        readonly post?: never;
        /**
         * Removes a tax rate; the tax of orders stays.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly delete: operations["deleteTaxRate"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a tax rate.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly patch: operations["updateTaxRate"];
        readonly trace?: never;
    };
    readonly "/discounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the discounts.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly get: operations["listDiscounts"];
        readonly put?: never;
        /**
         * Creates a discount.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly post: operations["createDiscount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/discounts/{discountId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the discount. */
                readonly discountId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a discount.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly get: operations["getDiscount"];
        /**
         * Replaces a discount; its code stays.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly put: operations["replaceDiscount"];
        readonly post?: never;
        /**
         * Removes a discount; orders keep what it took off.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly delete: operations["deleteDiscount"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a discount.
         * @description For administrators. Scope: `settings:write`.
         */
        readonly patch: operations["updateDiscount"];
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Returns the events after a cursor, oldest first.
         * @description Only those of resources that the credential may read: `orders:read` for orders and payments, `users:read` for users, `carts:write` for carts, `imports:write` for imports, `webhooks:write` for webhooks. For administrators. Scope: `events:read`.
         */
        readonly get: operations["listEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events/{eventId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the event. */
                readonly eventId: string;
            };
            readonly cookie?: never;
        };
        /**
         * Reads an event.
         * @description For administrators. Scope: `events:read`.
         */
        readonly get: operations["getEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the webhooks.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Creates a webhook, whose secret only this response shows.
         * @description It requires `events:read`, too, and the scopes that read the resources of its types (`orders:read` for orders and payments, `users:read`, `carts:write`, `imports:write`). Deliveries are the webhook `event` of this document; `/docs/tasks` shows how to verify them. For administrators. Needs a sign-in of the last ten minutes; API keys and tokens of applications need neither. Scope: `webhooks:write`.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a webhook.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly get: operations["getWebhook"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Removes a webhook; its pending deliveries end.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Changes some fields of a webhook; its secret stays.
         * @description For administrators. Needs a sign-in of the last ten minutes; API keys and tokens of applications need neither. Scope: `webhooks:write`.
         */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}/rotations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replaces the secret of a webhook; only this response shows the new one.
         * @description For administrators. Needs a sign-in of the last ten minutes; API keys and tokens of applications need neither. Scope: `webhooks:write`.
         */
        readonly post: operations["rotateWebhookSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}/tests": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends `webhook.test` to this webhook only.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the deliveries of a webhook, in the order of their creation.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}/deliveries/{deliveryId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
                /** @description Identifies the delivery. */
                readonly deliveryId: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads a delivery.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly get: operations["getWebhookDelivery"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookId}/deliveries/{deliveryId}/retries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
                /** @description Identifies the delivery. */
                readonly deliveryId: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends a delivery once more, also one that has arrived.
         * @description For administrators. Scope: `webhooks:write`.
         */
        readonly post: operations["retryWebhookDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/imports": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Imports a file of products, users, stock, prices, categories or orders.
         * @description `/docs/tasks` lists the columns. A row with a known key changes what has it; others are created, but not by stock and prices. It requires the write scope of what is imported, too. For administrators. Scope: `imports:write`.
         */
        readonly post: operations["startImport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/operations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the operations of the last 30 days.
         * @description For administrators. Scope: `imports:write`.
         */
        readonly get: operations["listOperations"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/operations/{operationId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the operation. */
                readonly operationId: components["parameters"]["OperationId"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an operation; with `Prefer: wait`, once it has ended.
         * @description For administrators. Scope: `imports:write`.
         */
        readonly get: operations["getOperation"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancels an operation; what it has stored stays.
         * @description For administrators. Scope: `imports:write`.
         */
        readonly delete: operations["deleteOperation"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/operations/{operationId}/errors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the operation. */
                readonly operationId: components["parameters"]["OperationId"];
            };
            readonly cookie?: never;
        };
        /**
         * Lists the errors of the rows of an import; as CSV, these rows with a column `error`.
         * @description For administrators. Scope: `imports:write`.
         */
        readonly get: operations["listOperationErrors"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/imports/templates/{resource}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The resource. */
                readonly resource: "products" | "users" | "stock" | "prices" | "categories" | "orders";
            };
            readonly cookie?: never;
        };
        /**
         * Returns a file to fill in and import.
         * @description For administrators. Scope: `imports:write`.
         */
        readonly get: operations["getImportTemplate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit-events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Lists the events of the audit trail.
         * @description For administrators. Scope: `users:read`.
         */
        readonly get: operations["listAuditEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/audit-events/{eventId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the audit event. */
                readonly eventId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        /**
         * Reads an event of the audit trail.
         * @description For administrators. Scope: `users:read`.
         */
        readonly get: operations["getAuditEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/payment-notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Receives a signed notification of the payment provider.
         * @description For everyone.
         */
        readonly post: operations["receivePaymentNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly event: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends an event to the URL of a webhook (Standard Webhooks).
         * @description Anything but 2xx within 15 seconds is sent again, for three days; the same event may arrive twice.
         */
        readonly post: operations["receiveEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description The HTTP status and a digit.
         * @enum {string}
         */
        readonly ErrorCode: "4001" | "4002" | "4003" | "4004" | "4011" | "4012" | "4013" | "4031" | "4032" | "4033" | "4041" | "4042" | "4051" | "4061" | "4081" | "4091" | "4092" | "4093" | "4094" | "4101" | "4121" | "4131" | "4141" | "4151" | "4152" | "4221" | "4222" | "4223" | "4281" | "4291" | "4311" | "5001" | "5021" | "5031" | "5041";
        /**
         * @description The name of an error code.
         * @enum {string}
         */
        readonly ErrorLabel: "missing_or_malformed_parameter" | "unreadable_body" | "bad_query_parameter" | "contradictory_versions" | "credentials_missing" | "credentials_invalid" | "credentials_expired" | "not_permitted" | "account_suspended" | "scope_missing" | "no_such_resource" | "no_such_path" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "state_conflict" | "duplicate" | "out_of_stock" | "same_request_under_way" | "gone" | "precondition_failed" | "body_too_large" | "address_too_long" | "unsupported_media_type" | "unsupported_content_encoding" | "validation_failed" | "idempotency_key_reused" | "payment_declined" | "precondition_required" | "too_many_requests" | "header_fields_too_large" | "internal_error" | "bad_upstream_answer" | "temporarily_unavailable" | "upstream_timeout";
        /**
         * @description Identifies a resource.
         * @example 1
         */
        readonly Id: number;
        /**
         * @description An amount of money, in the currency of the shop.
         * @example 12.5
         */
        readonly Money: number;
        /** @description How much one unit of the product holds. */
        readonly UnitMeasure: {
            /**
             * @description How many units, as decimal text.
             * @example 0.75
             */
            readonly quantity: string;
            /**
             * @description The unit.
             * @enum {string}
             */
            readonly unit: "g" | "kg" | "ml" | "l" | "m" | "m2" | "piece";
        };
        readonly AttributeValue: string | number | boolean | readonly string[];
        /** @description Further properties by names of 1 to 50 characters; a value is a text, a number, a boolean or a list of texts. */
        readonly Attributes: {
            readonly [key: string]: components["schemas"]["AttributeValue"];
        };
        readonly ListedOption: {
            /**
             * @description The name.
             * @example Size
             */
            readonly name: string;
            /**
             * @description Its values in their order, at most 100.
             * @example [
             *       "S",
             *       "M"
             *     ]
             */
            readonly values: readonly string[];
        };
        /** @description What tells a variant from its siblings, by names of 1 to 50 characters. */
        readonly Options: {
            readonly [key: string]: string;
        };
        /** @description The price by measure; null without `unit_measure`. */
        readonly UnitPrice: {
            /** @description The price of as much as `per` says. */
            readonly amount: components["schemas"]["Money"];
            /**
             * @description One unit of measure.
             * @example 1 l
             */
            readonly per: string;
        };
        /** @description The URLs by the largest width of the image there, in pixels. */
        readonly ImageUrls: {
            /**
             * Format: uri
             * @description A URL of the image.
             */
            readonly 320: string;
            /**
             * Format: uri
             * @description A URL of the image.
             */
            readonly 640: string;
            /**
             * Format: uri
             * @description A URL of the image.
             */
            readonly 1280: string;
        };
        readonly ProductImage: {
            readonly id: components["schemas"]["Id"];
            /**
             * @description What the image shows, for those who cannot see it.
             * @example A blue kettle
             */
            readonly alt: string;
            /**
             * @description The place among the images of the product, from 1.
             * @example 1
             */
            readonly position: number;
            /**
             * @description The width of the original in pixels; null where images are not scaled.
             * @example 1280
             */
            readonly width: number | null;
            /**
             * @description The height of the original in pixels; null where images are not scaled.
             * @example 1280
             */
            readonly height: number | null;
            readonly urls: components["schemas"]["ImageUrls"];
        };
        /**
         * Format: date-time
         * @description When the resource was created.
         */
        readonly CreatedAt: string;
        /**
         * Format: date-time
         * @description When the resource last changed.
         */
        readonly UpdatedAt: string;
        /**
         * Format: email
         * @description An e-mail address.
         * @example ada@example.com
         * @example grace@example.com
         */
        readonly EmailAddress: string;
        /**
         * @description A country (ISO 3166-1 alpha-2).
         * @enum {string}
         */
        readonly CountryCode: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW" | "XK";
        /** @description The discount; null without one. */
        readonly AppliedDiscount: {
            /**
             * @description The code that buyers enter, regardless of case.
             * @example WELCOME10
             */
            readonly code: string;
            /** @description What it takes off the items; 0 for free shipping. */
            readonly amount: components["schemas"]["Money"];
        };
        /** @description A postal address. */
        readonly PostalAddress: {
            /**
             * @description Street and number.
             * @example 12 St James’s Square
             */
            readonly line1?: string | null;
            /**
             * @description Apartment, floor or other details.
             * @example Second floor
             */
            readonly line2?: string | null;
            /**
             * @description City or town.
             * @example London
             */
            readonly city?: string | null;
            /**
             * @description State, province or county. In AE, AR, AU, BR, CA, CN, ES, ID, IN, IT, JP, MX, MY and US a code (ISO 3166-2, with or without the country) or a name in English or the language of the country, which becomes the code without the country.
             * @example Greater London
             */
            readonly region?: string | null;
            /**
             * @description In the format of the country.
             * @example SW1Y 4JH
             */
            readonly postal_code?: string | null;
            /** @description ISO 3166-1 alpha-2 code. */
            readonly country?: components["schemas"]["CountryCode"] | null;
        };
        /** @description What the buyer has to do; null without an action, and for callers who may not pay. */
        readonly NextAction: {
            /**
             * @description redirect: the browser of the buyer opens the URL. provider: the script of the provider in the browser takes the secret.
             * @enum {string}
             */
            readonly type: "redirect" | "provider";
            /**
             * Format: uri
             * @description The page to open.
             * @example https://pay.example.com/confirm/9f8e7d
             */
            readonly url?: string;
            /**
             * @description The secret for the script of the provider.
             * @example pi_42_secret_9f8e7d
             */
            readonly client_secret?: string;
        };
        readonly RefundItem: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        readonly ParcelItem: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        readonly ReturnItem: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        /**
         * @description An operation that the key allows.
         * @enum {string}
         */
        readonly Scope: "users:read" | "users:write" | "products:write" | "orders:read" | "orders:write" | "carts:write" | "payments:write" | "reviews:write" | "purchases:read" | "keys:write" | "events:read" | "webhooks:write" | "refunds:write" | "returns:write" | "settings:write" | "imports:write" | "files:write";
        /** Format: uri */
        readonly RedirectUri: string;
        /** @enum {string} */
        readonly EventTypes: "order.created" | "order.updated" | "order.paid" | "order.shipped" | "order.delivered" | "order.cancelled" | "order.refunded" | "order.deleted" | "parcel.created" | "parcel.updated" | "parcel.delivered" | "parcel.deleted" | "return.requested" | "return.approved" | "return.rejected" | "return.received" | "return.refunded" | "return.updated" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment.refunded" | "product.created" | "product.updated" | "product.deleted" | "product.out_of_stock" | "product.back_in_stock" | "category.created" | "category.updated" | "category.deleted" | "user.created" | "user.updated" | "user.deleted" | "user.erased" | "review.created" | "cart.abandoned" | "import.completed" | "webhook.disabled" | "order.*" | "parcel.*" | "return.*" | "payment.*" | "product.*" | "category.*" | "user.*" | "review.*" | "cart.*" | "import.*" | "webhook.*" | "*";
        /**
         * @description An operation on an account or a credential.
         * @enum {string}
         */
        readonly AuditAction: "signed_in" | "sign_in_failed" | "signed_out" | "refresh_token_reused" | "guest_merged" | "administrator_created" | "username_changed" | "email_changed" | "password_changed" | "role_changed" | "status_changed" | "erasure_scheduled" | "erasure_withdrawn" | "user_erased" | "data_exported" | "api_key_created" | "api_key_changed" | "api_key_rotated" | "api_key_revoked" | "oauth_client_created" | "oauth_client_changed" | "oauth_client_rotated" | "oauth_client_removed" | "oauth_consent_given" | "oauth_consent_withdrawn" | "webhook_created" | "webhook_changed" | "webhook_rotated" | "webhook_removed";
        /**
         * @description An amount of money, in the currency of the shop.
         * @example 12.5
         */
        readonly MoneyInput: number;
        readonly OptionChange: {
            /**
             * @description The name.
             * @example Size
             */
            readonly name: string;
            /**
             * @description The name.
             * @example Size
             */
            readonly from?: string;
            /** @description The values in their order, each as a text or with the value that it replaces; others stay. */
            readonly values?: readonly (string | {
                /**
                 * @description The value.
                 * @example M
                 */
                readonly value: string;
                /**
                 * @description The value that it replaces.
                 * @example M
                 */
                readonly from?: string;
            })[];
        };
        /** @description Of a product with variants: its options, for all of these at once. `from` is the name or value before; an option that is left out goes, and variants get the first value of a new one. */
        readonly OptionChanges: readonly components["schemas"]["OptionChange"][];
        /** @description What tells a variant from its siblings, by names of 1 to 50 characters. */
        readonly OptionsInput: {
            readonly [key: string]: string;
        };
        /** @description How much one unit of the product holds. */
        readonly UnitMeasureInput: {
            /**
             * @description How many units, as decimal text.
             * @example 0.75
             */
            readonly quantity: string;
            /**
             * @description The unit.
             * @enum {string}
             */
            readonly unit: "g" | "kg" | "ml" | "l" | "m" | "m2" | "piece";
        };
        readonly AttributeValueInput: string | number | boolean | readonly string[];
        /** @description Further properties by names of 1 to 50 characters; a value is a text, a number, a boolean or a list of texts. */
        readonly AttributesInput: {
            readonly [key: string]: components["schemas"]["AttributeValueInput"];
        };
        /**
         * Format: email
         * @description An e-mail address.
         * @example ada@example.com
         * @example grace@example.com
         */
        readonly EmailAddressInput: string;
        /** @description Signs in with a password. */
        readonly PasswordLogin: {
            /**
             * @description The username or the email; case is ignored.
             * @example ada
             */
            readonly username: string;
            /**
             * @description The password of the account.
             * @example correct horse battery staple
             */
            readonly password: string;
            /**
             * @description The access or refresh token of a guest, whose cart, orders and addresses move to the account.
             * @example eyJhbGciOiJIUzI1NiJ9…
             */
            readonly guest_token?: string;
        };
        /** @description Renews the tokens of a session. */
        readonly TokenRenewal: {
            /**
             * @description The refresh token of the last sign-in or renewal.
             * @example kq3WbX0cQy…
             */
            readonly refresh_token: string;
            /**
             * @description The access or refresh token of a guest, whose cart, orders and addresses move to the account.
             * @example eyJhbGciOiJIUzI1NiJ9…
             */
            readonly guest_token?: string;
        };
        readonly OrderLine: {
            /** @description The product ordered. */
            readonly product_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A postal address. */
        readonly PostalAddressInput: {
            /**
             * @description Street and number.
             * @example 12 St James’s Square
             */
            readonly line1?: string | null;
            /**
             * @description Apartment, floor or other details.
             * @example Second floor
             */
            readonly line2?: string | null;
            /**
             * @description City or town.
             * @example London
             */
            readonly city?: string | null;
            /**
             * @description State, province or county. In AE, AR, AU, BR, CA, CN, ES, ID, IN, IT, JP, MX, MY and US a code (ISO 3166-2, with or without the country) or a name in English or the language of the country, which becomes the code without the country.
             * @example Greater London
             */
            readonly region?: string | null;
            /**
             * @description In the format of the country.
             * @example SW1Y 4JH
             */
            readonly postal_code?: string | null;
            /** @description ISO 3166-1 alpha-2 code. */
            readonly country?: components["schemas"]["CountryCode"] | null;
        };
        /** @description How and where to send the order. */
        readonly ShippingChoice: {
            /**
             * @description The code of the shipping method; `standard` where a POST or PUT names none.
             * @example standard
             */
            readonly method?: string | null;
            /**
             * @description Name of the recipient.
             * @example Ada Lovelace
             */
            readonly recipient?: string | null;
            /**
             * @description The company of the recipient.
             * @example Analytical Engines Ltd
             */
            readonly company?: string | null;
            /**
             * @description The VAT ID of the recipient; it is not checked.
             * @example GB123456789
             */
            readonly vat_id?: string | null;
            /**
             * @description Phone number for the carrier.
             * @example +44 20 7946 0000
             */
            readonly phone?: string | null;
            /** @description A postal address. */
            readonly address?: components["schemas"]["PostalAddressInput"] | null;
            /** @description Instead of `address`: a saved one of the buyer, copied with its recipient; requires the scope users:read. */
            readonly address_id?: components["schemas"]["Id"];
        } & {
            readonly [key: string]: unknown;
        };
        readonly RefundItemInput: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        readonly ParcelItemInput: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        readonly ReturnItemInput: {
            /** @description The item of the order. */
            readonly order_item_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
        };
        /** Format: uri */
        readonly RedirectUriInput: string;
        /** @description The root of the API; its links lead to every resource the caller may use. */
        readonly Entry: {
            /**
             * @description The name of the server.
             * @example cartwright
             */
            readonly name: string;
            /**
             * @description The release of the server.
             * @example 0.1.0
             */
            readonly version: string;
            /** @description The API versions that the server supports. */
            readonly api_versions: readonly number[];
            /**
             * @description The currency of all amounts (ISO 4217).
             * @example USD
             */
            readonly currency: string;
            /**
             * @description The number of decimals of an amount.
             * @example 2
             */
            readonly currency_digits: number;
            /**
             * @description The time zone of dates that people read (IANA). Times in the API are in UTC.
             * @example Europe/Berlin
             */
            readonly time_zone: string;
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly products?: components["schemas"]["Link"];
                readonly categories?: components["schemas"]["Link"];
                readonly sign_up?: components["schemas"]["FilledAction"];
                readonly start_as_guest?: components["schemas"]["FilledAction"];
                readonly login?: components["schemas"]["FilledAction"];
                readonly reset_password?: components["schemas"]["FilledAction"];
                readonly profile?: components["schemas"]["Link"];
                readonly sessions?: components["schemas"]["Link"];
                readonly api_keys?: components["schemas"]["Link"];
                readonly oauth_consents?: components["schemas"]["Link"];
                readonly users?: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly own_orders?: components["schemas"]["Link"];
                readonly orders?: components["schemas"]["Link"];
                readonly purchases?: components["schemas"]["Link"];
                readonly shipping_methods?: components["schemas"]["Link"];
                readonly tax_rates?: components["schemas"]["Link"];
                readonly discounts?: components["schemas"]["Link"];
                readonly events?: components["schemas"]["Link"];
                readonly webhooks?: components["schemas"]["Link"];
                readonly operations?: components["schemas"]["Link"];
                readonly audit_events?: components["schemas"]["Link"];
                readonly oauth_clients?: components["schemas"]["Link"];
                readonly create_product?: components["schemas"]["FilledAction"];
                readonly import?: components["schemas"]["Action"];
                readonly create_shipping_method?: components["schemas"]["FilledAction"];
                readonly create_tax_rate?: components["schemas"]["FilledAction"];
                readonly create_discount?: components["schemas"]["FilledAction"];
                readonly create_webhook?: components["schemas"]["FilledAction"];
                readonly documentation?: components["schemas"]["Link"];
                readonly openapi?: components["schemas"]["Link"];
                readonly problems?: components["schemas"]["Link"];
                readonly health?: components["schemas"]["Link"];
            };
        };
        /** @description All error codes on one page. */
        readonly Problems: {
            /**
             * @description The number of error codes.
             * @example 35
             */
            readonly total_items: number;
            /** @description Always embedded. */
            readonly data: readonly components["schemas"]["Problem"][];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly entry?: components["schemas"]["Link"];
            };
        };
        /** @description An explanation of an error code. */
        readonly Problem: {
            readonly error_code: components["schemas"]["ErrorCode"];
            /**
             * @description The HTTP status of the response.
             * @example 404
             */
            readonly status: number;
            /** @description The name of the code in the simple error format. */
            readonly label: components["schemas"]["ErrorLabel"];
            /**
             * @description What happened.
             * @example The resource does not exist.
             */
            readonly title: string;
            /**
             * @description What it means.
             * @example The path is known, but no resource has the identifier in it.
             */
            readonly explanation: string;
            /**
             * @description What to do about it.
             * @example Follow a link from an existing resource.
             */
            readonly suggestion: string;
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly problems?: components["schemas"]["Link"];
            };
        };
        /** @description A product of the catalogue. Other fields are described in `ProductBody`. */
        readonly Product: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly description: string;
            readonly sku: string | null;
            readonly price: components["schemas"]["Money"];
            readonly category: string | null;
            /** @enum {string} */
            readonly availability: "in_stock" | "out_of_stock" | "preorder" | "discontinued" | "backorder";
            /** @enum {string} */
            readonly status: "active" | "draft" | "archived";
            readonly stock: number | null;
            readonly backorder: boolean;
            /** Format: uri */
            readonly image_url: string | null;
            readonly handle: string | null;
            readonly brand: string | null;
            readonly gtin: string | null;
            readonly external_id: string | null;
            readonly tax_class: string | null;
            readonly compare_at_price: components["schemas"]["Money"] | null;
            readonly weight_grams: number | null;
            readonly unit_measure: components["schemas"]["UnitMeasure"] | null;
            readonly requires_shipping: boolean;
            readonly tags: readonly string[];
            readonly attributes: components["schemas"]["Attributes"] | null;
            readonly seo_title: string | null;
            readonly seo_description: string | null;
            /**
             * @description The description as HTML, safe to show; that of a plain text has its paragraphs.
             * @example <p>Holds <strong>two litres</strong>; whistles.</p>
             */
            readonly description_html: string;
            readonly cost_price?: components["schemas"]["Money"] | null;
            readonly variant_of?: components["schemas"]["Id"] | null;
            readonly options?: readonly components["schemas"]["ListedOption"][] | components["schemas"]["Options"] | null;
            /**
             * @description The names of the options in which the variants of this product differ.
             * @example [
             *       "size"
             *     ]
             */
            readonly option_names?: readonly string[];
            /** @description The lowest price of the variants that are not discontinued. */
            readonly price_from?: components["schemas"]["Money"] | null;
            /**
             * @description Whether `compare_at_price` exceeds `price`.
             * @example false
             */
            readonly on_sale: boolean;
            /** @description While on sale, the lowest price of the 30 days before the reduction; null for a product that was always on sale. */
            readonly lowest_price_30_days: components["schemas"]["Money"] | null;
            /** @description The price by measure; null without `unit_measure`. */
            readonly unit_price: components["schemas"]["UnitPrice"] | null;
            /**
             * @description The ISO 4217 code of the currency.
             * @example USD
             */
            readonly currency: string;
            /** @description The images, in the order of their positions. */
            readonly images: readonly components["schemas"]["ProductImage"][];
            /** @description A summary of the reviews. */
            readonly rating: {
                /**
                 * @description The average rating, from 1 to 5; null without reviews.
                 * @example 4.5
                 */
                readonly average: number | null;
                /**
                 * @description The number of reviews.
                 * @example 12
                 */
                readonly count: number;
            };
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            /** @description Present with `include`. */
            readonly reviews?: readonly components["schemas"]["Review"][];
            /** @description Present with `include`. */
            readonly related?: readonly components["schemas"]["Product"][];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly add_to_cart?: components["schemas"]["FilledAction"];
                readonly variants?: components["schemas"]["Link"];
                readonly parent?: components["schemas"]["Link"];
                readonly images?: components["schemas"]["Link"];
                readonly prices?: components["schemas"]["Link"];
                readonly reviews?: components["schemas"]["Link"];
                readonly related_products?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description An image of a product. */
        readonly Image: {
            readonly id: components["schemas"]["Id"];
            /**
             * @description What the image shows, for those who cannot see it.
             * @example A blue kettle
             */
            readonly alt: string;
            /**
             * @description The place among the images of the product, from 1.
             * @example 1
             */
            readonly position: number;
            /**
             * @description The width of the original in pixels; null where images are not scaled.
             * @example 1280
             */
            readonly width: number | null;
            /**
             * @description The height of the original in pixels; null where images are not scaled.
             * @example 1280
             */
            readonly height: number | null;
            readonly urls: components["schemas"]["ImageUrls"];
            readonly product_id: components["schemas"]["Id"];
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly product?: components["schemas"]["Link"];
                readonly images?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description A category of products, which have its name as their `category`. Other fields are described in `CategoryBody`. */
        readonly Category: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly handle: string | null;
            readonly parent_id: components["schemas"]["Id"] | null;
            readonly position: number;
            readonly description: string;
            /**
             * @description The names from the root down to it.
             * @example [
             *       "home",
             *       "kitchen"
             *     ]
             */
            readonly path: readonly string[];
            /**
             * @description The number of active products in it and below.
             * @example 12
             */
            readonly product_count: number;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly products?: components["schemas"]["Link"];
                readonly parent?: components["schemas"]["Link"];
                readonly children?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description A price that a product has or had. */
        readonly Price: {
            /** @description The price of one unit. */
            readonly price: components["schemas"]["Money"];
            /** @description A price to compare with, such as the one before a reduction. */
            readonly compare_at_price: components["schemas"]["Money"] | null;
            /**
             * @description Whether `compare_at_price` exceeds `price`.
             * @example false
             */
            readonly on_sale: boolean;
            /**
             * Format: date-time
             * @description From when it is the price.
             */
            readonly at: string;
            readonly _links: {
                readonly self?: components["schemas"]["Link"];
            };
        };
        /** @description The review of a product by a user who bought it. Other fields are described in `NewReview`. */
        readonly Review: {
            readonly id: components["schemas"]["Id"];
            readonly product_id: components["schemas"]["Id"];
            /** @description The ID of the author; null once that user is erased. */
            readonly user_id: components["schemas"]["Id"] | null;
            /**
             * @description The name of the author at the time of the review; null once the user is erased.
             * @example Ada Lovelace
             */
            readonly author: string | null;
            readonly rating: number;
            readonly title: string | null;
            readonly body: string | null;
            /** @description Whether the author has bought the product. */
            readonly verified_purchase: boolean;
            /**
             * @description A hidden review does not count in the rating, and only its author and administrators see it.
             * @enum {string}
             */
            readonly status: "published" | "hidden";
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly product?: components["schemas"]["Link"];
                readonly reviews?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
                readonly hide?: components["schemas"]["FilledAction"];
                readonly publish?: components["schemas"]["FilledAction"];
            };
        };
        /** @description A user of the shop. Other fields are described in `NewUser`. */
        readonly User: {
            /** @description Identifies the user. */
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly email: components["schemas"]["EmailAddress"] | null;
            readonly age: number | null;
            readonly username: string | null;
            /** @enum {string} */
            readonly role: "customer" | "guest" | "admin";
            /** @enum {string} */
            readonly status: "active" | "suspended";
            /** @enum {string} */
            readonly language: "en" | "zh" | "es" | "fr" | "de";
            readonly phone: string | null;
            readonly external_id: string | null;
            /** @description Whether the user has confirmed the email; a new email is not confirmed. */
            readonly email_verified: boolean;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly login?: components["schemas"]["Action"];
                readonly orders?: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly addresses?: components["schemas"]["Link"];
                readonly api_keys?: components["schemas"]["Link"];
                readonly register?: components["schemas"]["FilledAction"];
                readonly confirm_email?: components["schemas"]["FilledAction"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
                readonly erasure?: components["schemas"]["Action"];
            };
        };
        /** @description The tokens of a signed-in user. */
        readonly Login: {
            /**
             * @description The access token, a JWT (RFC 7519).
             * @example eyJhbGciOiJIUzI1NiJ9…
             */
            readonly token: string;
            /**
             * @description How to send the token (RFC 6750).
             * @constant
             */
            readonly token_type: "Bearer";
            /**
             * @description Seconds until the token expires.
             * @example 900
             */
            readonly expires_in: number;
            /**
             * @description Renews the tokens once, within 30 days, and within 90 days of sign-in.
             * @example kq3WbX0cQy…
             */
            readonly refresh_token: string;
            readonly _links: {
                readonly self?: components["schemas"]["Action"];
                readonly profile?: components["schemas"]["Link"];
                readonly session?: components["schemas"]["Link"];
                readonly logout?: components["schemas"]["Action"];
            };
        };
        /** @description A sign-in of a user; removing it signs out. */
        readonly Session: {
            /** @description The ID of the session; the `sid` of its tokens. */
            readonly id: components["schemas"]["Id"];
            /** @description The ID of the user who is signed in. */
            readonly user_id: components["schemas"]["Id"];
            /**
             * @description `token` for a sign-in at /login, `browser` for one on the OAuth pages, held in a cookie.
             * @enum {string}
             */
            readonly kind: "token" | "browser";
            /**
             * @description The client address at the last sign-in or renewal; null when unknown.
             * @example 203.0.113.7
             */
            readonly address: string | null;
            /** @description True for the session of the token in this request. */
            readonly is_current: boolean;
            /**
             * Format: date-time
             * @description When it ends unless renewed; at most 90 days after sign-in.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description The tokens of a new guest. */
        readonly Guest: {
            /**
             * @description The access token, a JWT (RFC 7519).
             * @example eyJhbGciOiJIUzI1NiJ9…
             */
            readonly token: string;
            /**
             * @description How to send the token (RFC 6750).
             * @constant
             */
            readonly token_type: "Bearer";
            /**
             * @description Seconds until the token expires.
             * @example 900
             */
            readonly expires_in: number;
            /**
             * @description Renews the tokens once, within 30 days, and within 90 days of sign-in.
             * @example kq3WbX0cQy…
             */
            readonly refresh_token: string;
            readonly user: components["schemas"]["User"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly profile?: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly session?: components["schemas"]["Link"];
                readonly logout?: components["schemas"]["Action"];
            };
        };
        /** @description A request for a mail with a link to choose a new password. */
        readonly PasswordResetRequest: {
            /**
             * @description The mail is sent soon, if there is somebody to send it to.
             * @constant
             */
            readonly status: "accepted";
            readonly _links: {
                readonly self?: components["schemas"]["Action"];
            };
        };
        /** @description A link to choose a new password, while it works. */
        readonly PasswordReset: {
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly replace?: components["schemas"]["FilledAction"];
            };
        };
        /** @description A request for a mail with a link to confirm the address of a user. */
        readonly EmailConfirmationRequest: {
            /**
             * @description The mail is sent soon, if there is somebody to send it to.
             * @constant
             */
            readonly status: "accepted";
            readonly _links: {
                readonly self?: components["schemas"]["Action"];
                readonly user?: components["schemas"]["Link"];
            };
        };
        /** @description A link to confirm an address, while it works. */
        readonly EmailConfirmation: {
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly confirm?: components["schemas"]["FilledAction"];
                readonly reject?: components["schemas"]["FilledAction"];
            };
        };
        /** @description A link with which the holder of an address says not to have signed up, while it works. */
        readonly EmailRejection: {
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly reject?: components["schemas"]["FilledAction"];
            };
        };
        /** @description A link that undoes the change of an address, while it works. */
        readonly AddressChange: {
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly undo?: components["schemas"]["FilledAction"];
            };
        };
        /** @description The user who is calling. */
        readonly Profile: {
            /**
             * @description The name to sign in with; unique, ignoring case; the email by default. It contains @ only as the email of the account, and then changes with it.
             * @example ada
             */
            readonly username: string | null;
            /** @description Identifies the user. */
            readonly id: components["schemas"]["Id"];
            /**
             * @description The display name.
             * @example Ada Lovelace
             * @example Grace Hopper
             */
            readonly name: string;
            /** @description Unique, ignoring case, except for guests. */
            readonly email: components["schemas"]["EmailAddress"] | null;
            /**
             * @description Only an administrator signed in with a password can set it. A guest who sets one becomes a customer.
             * @enum {string}
             */
            readonly role: "customer" | "guest" | "admin";
            /**
             * @description The scopes of this credential, separated by spaces.
             * @example orders:read orders:write
             */
            readonly scope: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly orders?: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly addresses?: components["schemas"]["Link"];
                readonly sessions?: components["schemas"]["Link"];
                readonly oauth_consents?: components["schemas"]["Link"];
                readonly logout?: components["schemas"]["Action"];
                readonly register?: components["schemas"]["FilledAction"];
                readonly erasure?: components["schemas"]["Action"];
            };
        };
        /** @description An address that a user has saved. Other fields are described in `AddressBody`. */
        readonly Address: {
            readonly id: components["schemas"]["Id"];
            /** @description The user whose address it is. */
            readonly user_id: components["schemas"]["Id"];
            readonly recipient: string;
            readonly line1: string;
            readonly line2: string | null;
            readonly city: string;
            readonly region: string | null;
            readonly postal_code: string | null;
            readonly country: components["schemas"]["CountryCode"];
            readonly company: string | null;
            readonly vat_id: string | null;
            readonly phone: string | null;
            readonly is_default: boolean;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly make_default?: components["schemas"]["FilledAction"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description The scheduled erasure of the caller. Other fields are described in `NewErasure`. */
        readonly Erasure: {
            /**
             * @description The state of the request.
             * @enum {string}
             */
            readonly status: "scheduled";
            /**
             * Format: date-time
             * @description When account and data are erased; the request can be withdrawn until then.
             */
            readonly erase_at: string;
            readonly reason: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly withdraw?: components["schemas"]["Action"];
                readonly user?: components["schemas"]["Link"];
            };
        };
        /** @description The products that a user intends to buy. */
        readonly Cart: {
            readonly user_id: components["schemas"]["Id"];
            /**
             * @description A cart with items is abandoned 24 hours after its last change.
             * @enum {string}
             */
            readonly status: "empty" | "active" | "abandoned";
            /**
             * @description The sum of the quantities.
             * @example 3
             */
            readonly item_count: number;
            /** @description The sum of the items at current prices, before the discount. */
            readonly subtotal: components["schemas"]["Money"];
            /** @description The discount; null without one. */
            readonly discount: components["schemas"]["AppliedDiscount"] | null;
            /** @description The amount that the discount takes off. */
            readonly discount_total: components["schemas"]["Money"];
            /**
             * @description The ISO 4217 code of the currency.
             * @example USD
             */
            readonly currency: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            /** @description Always embedded. */
            readonly items: readonly components["schemas"]["CartItem"][];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly items?: components["schemas"]["Link"];
                readonly status?: components["schemas"]["Link"];
                readonly add_item?: components["schemas"]["FilledAction"];
                readonly apply_discount?: components["schemas"]["FilledAction"];
                readonly remove_discount?: components["schemas"]["Action"];
                readonly checkout?: components["schemas"]["FilledAction"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description Whether a cart can be ordered, and the problems that prevent it. */
        readonly CartStatus: {
            /**
             * @description A cart with items is abandoned 24 hours after its last change.
             * @enum {string}
             */
            readonly status: "empty" | "active" | "abandoned";
            /**
             * @description The sum of the quantities.
             * @example 3
             */
            readonly item_count: number;
            /** @description The sum of the items at current prices, before the discount. */
            readonly subtotal: components["schemas"]["Money"];
            /** @description The discount; null without one. */
            readonly discount: components["schemas"]["AppliedDiscount"] | null;
            /** @description The amount that the discount takes off. */
            readonly discount_total: components["schemas"]["Money"];
            /**
             * @description The ISO 4217 code of the currency.
             * @example USD
             */
            readonly currency: string;
            /** @description Whether the cart can be ordered. */
            readonly checkout_ready: boolean;
            /** @description The problems that prevent an order; empty when there are none. */
            readonly problems: readonly {
                /** @description The ID of the item; null for a problem of the whole cart. */
                readonly item_id: components["schemas"]["Id"] | null;
                /**
                 * @description Why the item, the discount or the whole cart cannot be ordered.
                 * @enum {string}
                 */
                readonly code: "unavailable" | "out_of_stock" | "insufficient_stock" | "discount_unusable" | "total_too_large";
                /**
                 * @description The reason in a sentence.
                 * @example Enamel kettle: 3 requested, 2 in stock.
                 */
                readonly message: string;
            }[];
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly checkout?: components["schemas"]["FilledAction"];
            };
        };
        /** @description A product in a cart, with its quantity. Other fields are described in `NewCartItem`. */
        readonly CartItem: {
            readonly id: components["schemas"]["Id"];
            readonly product_id: components["schemas"]["Id"];
            /**
             * @description The name of the product.
             * @example Enamel kettle
             */
            readonly name: string;
            /** @description What tells a variant from its siblings, by names of 1 to 50 characters. */
            readonly options: components["schemas"]["Options"] | null;
            /** @description The current price of one unit. */
            readonly unit_price: components["schemas"]["Money"];
            readonly quantity: number;
            /** @description The quantity times the current price. */
            readonly line_total: components["schemas"]["Money"];
            /** @description The share of the discount of the cart. */
            readonly discount: components["schemas"]["Money"];
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly product?: components["schemas"]["Link"];
                readonly cart?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description An order of a user. Other fields are described in `NewOrder`. */
        readonly Order: {
            /** @description Identifies the order. */
            readonly id: components["schemas"]["Id"];
            /**
             * @description What people call the order by; unique.
             * @example 1001
             */
            readonly number: string;
            /**
             * @description `import`: from the history of another shop; `api`: placed here.
             * @enum {string}
             */
            readonly source: "api" | "import";
            /** @description The user who ordered; null once erased. */
            readonly user_id: components["schemas"]["Id"] | null;
            /**
             * @description The status of the order.
             * @enum {string}
             */
            readonly status: "pending" | "paid" | "shipped" | "delivered" | "cancelled" | "refunded";
            /** @description Why the order was cancelled; with `stock_needed` and `discount_needed`, another order needed what it held unpaid. */
            readonly cancel_reason: ("requested" | "expired" | "refunded" | "stock_needed" | "discount_needed") | null;
            /**
             * @description ISO 4217 code.
             * @example USD
             */
            readonly currency: string;
            /**
             * @description Number of pieces over all items.
             * @example 3
             */
            readonly item_count: number;
            /** @description Sum of the items, before the discount. */
            readonly subtotal: components["schemas"]["Money"];
            /** @description Cost of the shipping method. */
            readonly shipping_cost: components["schemas"]["Money"];
            /** @description All tax, on items and shipping. */
            readonly tax: components["schemas"]["Money"];
            /** @description Amount to pay. */
            readonly total: components["schemas"]["Money"];
            /** @description What was returned of it. */
            readonly refunded_total: components["schemas"]["Money"];
            /** @description The discount; null without one. */
            readonly discount: components["schemas"]["AppliedDiscount"] | null;
            /** @description What the discount takes off. */
            readonly discount_total: components["schemas"]["Money"];
            /**
             * @description Whether the prices include the tax; otherwise the total adds it.
             * @example true
             */
            readonly tax_included: boolean;
            /** @description The buyer when the order was placed; null once erased. */
            readonly contact: {
                /**
                 * @description Name of the buyer.
                 * @example Ada Lovelace
                 */
                readonly name: string | null;
                /**
                 * @description Email address of the buyer.
                 * @example ada@example.com
                 */
                readonly email: string | null;
            };
            readonly note: string | null;
            readonly external_id: string | null;
            /**
             * Format: date-time
             * @description When the order is cancelled unless paid.
             */
            readonly expires_at: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            /** @description Present with `include`. */
            readonly items?: readonly components["schemas"]["OrderItem"][];
            /** @description Present with `include`. */
            readonly shipping?: components["schemas"]["OrderShipping"] | null;
            /** @description Present with `include`. */
            readonly parcels?: readonly components["schemas"]["Parcel"][];
            /** @description Present with `include`. */
            readonly payments?: readonly components["schemas"]["Payment"][];
            readonly _links: {
                readonly self?: components["schemas"]["Link"];
                readonly items?: components["schemas"]["Link"];
                readonly shipping?: components["schemas"]["Link"];
                readonly payments?: components["schemas"]["Link"];
                readonly parcels?: components["schemas"]["Link"];
                readonly returns?: components["schemas"]["Link"];
                readonly refunds?: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly return?: components["schemas"]["FilledAction"];
                readonly pay?: components["schemas"]["FilledAction"];
                readonly edit?: components["schemas"]["Action"];
                readonly cancel?: components["schemas"]["FilledAction"];
                readonly ship?: components["schemas"]["FilledAction"];
                readonly send?: components["schemas"]["FilledAction"];
                readonly deliver?: components["schemas"]["FilledAction"];
                readonly refund?: components["schemas"]["FilledAction"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description An item of an order. */
        readonly OrderItem: {
            /** @description Identifies the item. */
            readonly id: components["schemas"]["Id"];
            /** @description The product ordered; null for an item of an imported order that no product here is. */
            readonly product_id: components["schemas"]["Id"] | null;
            /**
             * @description The name of the product when it was ordered.
             * @example Enamel kettle
             */
            readonly name: string;
            /**
             * @description The SKU of the product when it was ordered.
             * @example KET-0042
             */
            readonly sku: string | null;
            /** @description What tells a variant from its siblings, by names of 1 to 50 characters. */
            readonly options: components["schemas"]["Options"] | null;
            /** @description Price of one piece when it was ordered. */
            readonly unit_price: components["schemas"]["Money"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
            /**
             * @description The pieces that are in parcels.
             * @example 1
             */
            readonly shipped_quantity: number;
            /** @description Price of all pieces, before the discount. */
            readonly line_total: components["schemas"]["Money"];
            /** @description The share of the discount of the order. */
            readonly discount: components["schemas"]["Money"];
            /**
             * @description The tax rate in percent, as decimal text.
             * @example 19
             */
            readonly tax_rate: string;
            /** @description Tax on the line after its discount. */
            readonly tax: components["schemas"]["Money"];
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly product?: components["schemas"]["Link"];
            };
        };
        /** @description How and where an order is sent. Other fields are described in `OrderShippingBody`. */
        readonly OrderShipping: {
            /** @description The order. */
            readonly order_id: components["schemas"]["Id"];
            /**
             * @description The code of the shipping method.
             * @example standard
             */
            readonly method: string;
            readonly recipient: string | null;
            readonly company: string | null;
            readonly vat_id: string | null;
            readonly phone: string | null;
            readonly address: components["schemas"]["PostalAddress"];
            /** @enum {string} */
            readonly status: "pending" | "in_transit" | "delivered";
            readonly carrier: string | null;
            readonly tracking_number: string | null;
            /** Format: uri */
            readonly tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the parcel was handed to the carrier.
             */
            readonly shipped_at: string | null;
            /**
             * Format: date-time
             * @description When the parcel was delivered.
             */
            readonly delivered_at: string | null;
            /** @description Cost of the method. */
            readonly cost: components["schemas"]["Money"];
            /**
             * @description The tax rate on the cost in percent, as decimal text.
             * @example 19
             */
            readonly tax_rate: string;
            /** @description Tax on the cost. */
            readonly tax: components["schemas"]["Money"];
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly update?: components["schemas"]["FilledAction"];
                readonly ship?: components["schemas"]["FilledAction"];
                readonly edit?: components["schemas"]["Action"];
            };
        };
        /** @description An attempt to pay for an order. Other fields are described in `NewPayment`. */
        readonly Payment: {
            /** @description Identifies the payment. */
            readonly id: components["schemas"]["Id"];
            /** @description The order. */
            readonly order_id: components["schemas"]["Id"];
            /** @enum {string} */
            readonly method: "card";
            /** @description Amount of the payment. */
            readonly amount: components["schemas"]["Money"];
            /**
             * @description ISO 4217 code.
             * @example USD
             */
            readonly currency: string;
            /**
             * @description The status of the payment; action_required: the buyer has to act; refunded: it succeeded and all of it was returned.
             * @enum {string}
             */
            readonly status: "succeeded" | "pending" | "action_required" | "failed" | "refunded";
            /** @description What was returned of it. */
            readonly refunded_total: components["schemas"]["Money"];
            /**
             * @description The payment provider.
             * @example sandbox
             */
            readonly provider: string;
            /**
             * @description ID of the charge at the provider.
             * @example ch_0042
             */
            readonly provider_reference: string | null;
            /**
             * @description Why it failed, in the words of the provider; null otherwise.
             * @example card declined
             */
            readonly failure: string | null;
            /** @description What the buyer has to do; null without an action, and for callers who may not pay. */
            readonly next_action: components["schemas"]["NextAction"] | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly continue?: components["schemas"]["Link"];
            };
        };
        /** @description Money that goes back to the buyer of an order. Other fields are described in `NewRefund`. */
        readonly Refund: {
            /** @description Identifies the refund. */
            readonly id: components["schemas"]["Id"];
            /** @description The order. */
            readonly order_id: components["schemas"]["Id"];
            /** @description The payment that is returned. */
            readonly payment_id: components["schemas"]["Id"];
            /** @description What the buyer gets back. */
            readonly amount: components["schemas"]["Money"];
            /**
             * @description ISO 4217 code.
             * @example USD
             */
            readonly currency: string;
            /** @description The pieces that are refunded. */
            readonly items: readonly components["schemas"]["RefundItem"][];
            /** @description Whether the shipping cost is refunded. */
            readonly shipping: boolean;
            /** @description Whether the pieces go back to the stock. */
            readonly restock: boolean;
            /**
             * @description pending: the provider has not decided; it takes effect once succeeded.
             * @enum {string}
             */
            readonly status: "pending" | "succeeded" | "failed";
            readonly reason: string | null;
            /**
             * @description Why the provider rejected it.
             * @example expired_card
             */
            readonly failure: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly payment?: components["schemas"]["Link"];
            };
        };
        /** @description A parcel of an order. Other fields are described in `NewParcel`. */
        readonly Parcel: {
            /** @description Identifies the parcel. */
            readonly id: components["schemas"]["Id"];
            /** @description The order. */
            readonly order_id: components["schemas"]["Id"];
            readonly items: readonly components["schemas"]["ParcelItem"][];
            /**
             * @description Whether the parcel has arrived.
             * @enum {string}
             */
            readonly status: "in_transit" | "delivered";
            readonly carrier: string | null;
            readonly tracking_number: string | null;
            /**
             * Format: uri
             * @description Page that tracks the parcel.
             * @example https://example.com/track/RM123456789GB
             */
            readonly tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the parcel was delivered.
             */
            readonly delivered_at: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly update?: components["schemas"]["Action"];
                readonly deliver?: components["schemas"]["FilledAction"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description Pieces of an order that its buyer returns. Other fields are described in `NewReturn`. */
        readonly Return: {
            /** @description Identifies the return. */
            readonly id: components["schemas"]["Id"];
            /** @description The order. */
            readonly order_id: components["schemas"]["Id"];
            /** @enum {string} */
            readonly kind: "return" | "withdrawal";
            readonly items: readonly components["schemas"]["ReturnItem"][];
            /**
             * @description How far it has come.
             * @enum {string}
             */
            readonly status: "requested" | "approved" | "rejected" | "received" | "refunded";
            /**
             * @description Whether the pieces go back to the stock with their refund.
             * @example true
             */
            readonly restock: boolean;
            /**
             * @description Who declared a withdrawal without signing in.
             * @example Ada Lovelace
             */
            readonly declared_by: string | null;
            readonly reason: string | null;
            /**
             * @description What the shop answers, such as why it rejects the return.
             * @example They were worn.
             */
            readonly reply: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
                readonly update?: components["schemas"]["Action"];
                readonly approve?: components["schemas"]["FilledAction"];
                readonly reject?: components["schemas"]["FilledAction"];
                readonly receive?: components["schemas"]["FilledAction"];
                readonly refund?: components["schemas"]["FilledAction"];
            };
        };
        /** @description The declaration of a buyer who withdraws from the contract for an order. */
        readonly Withdrawal: {
            /**
             * @description Says nothing about whether there is such an order.
             * @constant
             */
            readonly status: "accepted";
            readonly _links: {
                readonly self?: components["schemas"]["Action"];
            };
        };
        /** @description A line of a paid order: a product bought by a user, without the pieces returned. */
        readonly Purchase: {
            readonly id: components["schemas"]["Id"];
            /** @description The ID of the buyer; null once that user is erased. */
            readonly user_id: components["schemas"]["Id"] | null;
            readonly product_id: components["schemas"]["Id"];
            readonly order_id: components["schemas"]["Id"];
            /**
             * @description The number of units.
             * @example 2
             */
            readonly quantity: number;
            /** @description The price of one unit at the time of the order. */
            readonly unit_price: components["schemas"]["Money"];
            /**
             * Format: date-time
             * @description When the order was paid.
             */
            readonly purchased_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly product?: components["schemas"]["Link"];
                readonly order?: components["schemas"]["Link"];
            };
        };
        /** @description A secret with which a program acts as a user. Other fields are described in `NewApiKey`. */
        readonly ApiKey: {
            readonly id: components["schemas"]["Id"];
            /** @description The ID of the user whom the key acts as. */
            readonly user_id: components["schemas"]["Id"];
            readonly name: string;
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** Format: date-time */
            readonly expires_at: string | null;
            readonly allowed_addresses: readonly string[] | null;
            readonly allowed_origins: readonly string[] | null;
            /** Format: rate-limit */
            readonly rate_limit: string | null;
            /**
             * @description The first characters of the key, to recognize it.
             * @example cw_Vb3xW0cQ
             */
            readonly prefix: string;
            /**
             * Format: date-time
             * @description When the key was last used, to about a minute; null if never.
             */
            readonly last_used_at: string | null;
            /**
             * @description The key itself; only in the first response to the request that created it, never in a replay.
             * @example cw_Vb3xW0cQyUo1F6mJZ2rTn8sKp4dHg7lEa5iXvBwDqSM
             */
            readonly key?: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly rotate?: components["schemas"]["FilledAction"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description An application that may request tokens; fields as in RFC 7591. Other fields are described in `OauthClientBody`. */
        readonly OauthClient: {
            readonly id: components["schemas"]["Id"];
            /**
             * @description The OAuth client identifier (RFC 6749 section 2.2).
             * @example cwc_c3RhcnQgaGVyZSBub3c
             */
            readonly client_id: string;
            /** @description Only in the first response to the request that created it, never in a replay. */
            readonly client_secret?: string;
            /**
             * @description Sent with the secret: 0, because it does not expire.
             * @example 0
             */
            readonly client_secret_expires_at?: number;
            /**
             * @description When it was registered, in seconds since 1970-01-01 UTC.
             * @example 1767225600
             */
            readonly client_id_issued_at: number;
            readonly client_name: string;
            /** @enum {string} */
            readonly application_type: "web" | "native";
            readonly redirect_uris: readonly components["schemas"]["RedirectUri"][];
            readonly post_logout_redirect_uris: readonly components["schemas"]["RedirectUri"][];
            readonly grant_types: readonly ("authorization_code" | "implicit" | "password" | "client_credentials" | "refresh_token")[];
            readonly response_types: readonly ("code" | "token" | "id_token" | "id_token token")[];
            /** @enum {string} */
            readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
            readonly scope: string;
            /** Format: uri */
            readonly client_uri: string | null;
            /** Format: uri */
            readonly policy_uri: string | null;
            /** Format: uri */
            readonly tos_uri: string | null;
            readonly contacts: readonly components["schemas"]["EmailAddress"][];
            readonly user_id: components["schemas"]["Id"] | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly rotate?: components["schemas"]["FilledAction"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description What a user allows an application to do; removing it withdraws the consent. */
        readonly OauthConsent: {
            /** @description The ID of the consent of this user to this client. */
            readonly id: components["schemas"]["Id"];
            /** @description The ID of the user who consented. */
            readonly user_id: components["schemas"]["Id"];
            /** @description The application that may act for the user. */
            readonly client: {
                /**
                 * @description The OAuth client identifier.
                 * @example cwc_c3RhcnQgaGVyZSBub3c
                 */
                readonly client_id: string;
                /**
                 * @description The name of the application.
                 * @example Parcel Tracker
                 */
                readonly name: string;
            };
            /**
             * @description The scopes that the user has allowed since the last withdrawal.
             * @example [
             *       "openid",
             *       "orders:read"
             *     ]
             */
            readonly scopes: readonly string[];
            /**
             * Format: date-time
             * @description When the consent ends, unless it is withdrawn or given again.
             */
            readonly expires_at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly user?: components["schemas"]["Link"];
                readonly client?: components["schemas"]["Link"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description A way to send orders, and what it costs. Other fields are described in `ShippingMethodBody`. */
        readonly ShippingMethod: {
            readonly id: components["schemas"]["Id"];
            readonly code: string;
            readonly name: string;
            readonly countries: readonly components["schemas"]["CountryCode"][];
            readonly price: components["schemas"]["Money"];
            readonly free_from: components["schemas"]["Money"] | null;
            readonly delivery_days: number | null;
            readonly active: boolean;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description The tax on products, and on shipping, that are sent to a country or region. Other fields are described in `TaxRateBody`. */
        readonly TaxRate: {
            readonly id: components["schemas"]["Id"];
            readonly country: components["schemas"]["CountryCode"];
            readonly region: string | null;
            readonly category: string | null;
            readonly tax_class: string | null;
            readonly rate: string;
            readonly name: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description A code that makes orders cheaper. Other fields are described in `DiscountBody`. */
        readonly Discount: {
            readonly id: components["schemas"]["Id"];
            readonly code: string;
            /** @enum {string} */
            readonly kind: "percent" | "amount" | "free_shipping";
            readonly value: string | components["schemas"]["Money"] | null;
            readonly minimum_subtotal: components["schemas"]["Money"] | null;
            readonly products: readonly components["schemas"]["Id"][];
            readonly categories: readonly string[];
            /** Format: date-time */
            readonly starts_at: string | null;
            /** Format: date-time */
            readonly ends_at: string | null;
            readonly usage_limit: number | null;
            readonly usage_limit_per_user: number | null;
            readonly active: boolean;
            /**
             * @description The number of orders that use it.
             * @example 7
             */
            readonly used_count: number;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description A change of a resource, as a CloudEvent. */
        readonly Event: {
            /**
             * @description The version of CloudEvents.
             * @enum {string}
             */
            readonly specversion: "1.0";
            /**
             * @description The ID of the event, the same wherever it is delivered.
             * @example evt_01987c3e-5a40-7000-8000-00000000002a
             */
            readonly id: string;
            /**
             * @description The URL of the shop.
             * @example http://localhost:3000
             */
            readonly source: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            readonly type: "order.created" | "order.updated" | "order.paid" | "order.shipped" | "order.delivered" | "order.cancelled" | "order.refunded" | "order.deleted" | "parcel.created" | "parcel.updated" | "parcel.delivered" | "parcel.deleted" | "return.requested" | "return.approved" | "return.rejected" | "return.received" | "return.refunded" | "return.updated" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment.refunded" | "product.created" | "product.updated" | "product.deleted" | "product.out_of_stock" | "product.back_in_stock" | "category.created" | "category.updated" | "category.deleted" | "user.created" | "user.updated" | "user.deleted" | "user.erased" | "review.created" | "cart.abandoned" | "import.completed" | "webhook.disabled";
            /**
             * @description The path of the resource.
             * @example /orders/42
             */
            readonly subject: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly time: string;
            /**
             * @description The type of `data`.
             * @enum {string}
             */
            readonly datacontenttype: "application/json";
            /**
             * @description A number that grows from event to event of the feed.
             * @example 42
             */
            readonly sequence: string;
            /**
             * @description The resource after the change, as an administrator reads it in version 1, without links; null except IDs once its user is erased.
             * @example {
             *       "id": 42,
             *       "status": "paid"
             *     }
             */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        /** @description A URL to which events are sent, signed as in Standard Webhooks. Other fields are described in `NewWebhook`. */
        readonly Webhook: {
            readonly id: components["schemas"]["Id"];
            /** Format: uri */
            readonly url: string;
            readonly types: readonly components["schemas"]["EventTypes"][];
            readonly description: string | null;
            readonly active: boolean;
            /** @description Why the server has disabled it: the endpoint answered 410, nothing was delivered in five days, the API key that set it up was revoked, or the account of whoever set it up was recovered. Null otherwise. */
            readonly disabled_reason: ("gone" | "failing" | "key_revoked" | "recovered") | null;
            /**
             * @description The secret that signs (Standard Webhooks): `whsec_` and 24 to 64 bytes in Base64. Only in the first response to the request that created it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            readonly secret?: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly deliveries?: components["schemas"]["Link"];
                readonly edit?: components["schemas"]["Action"];
                readonly rotate?: components["schemas"]["FilledAction"];
                readonly test?: components["schemas"]["Action"];
                readonly delete?: components["schemas"]["Action"];
            };
        };
        /** @description An event that is sent to a webhook, until it answers 2xx. */
        readonly WebhookDelivery: {
            readonly id: components["schemas"]["Id"];
            readonly webhook_id: components["schemas"]["Id"];
            /**
             * @description The ID of the event, which every attempt sends as `webhook-id`.
             * @example evt_01987c3e-5a40-7000-8000-00000000002a
             */
            readonly event_id: string;
            /**
             * @description Whether the endpoint has answered 2xx, or may yet.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed";
            /** @description The newest 50 attempts, the oldest first. */
            readonly attempts: readonly {
                /**
                 * Format: date-time
                 * @description When the attempt began.
                 */
                readonly at: string;
                /** @description The status of the response; null without one. */
                readonly status: number | null;
                /** @description How long it took, in milliseconds. */
                readonly duration_ms: number;
                /**
                 * @description Why there is no response; null with one.
                 * @example timeout
                 */
                readonly error: string | null;
                /** @description The first KiB of the body of the response; null without one, and once the person of the event is erased. */
                readonly response: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the next attempt takes place; null if there is none.
             */
            readonly next_attempt_at: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly webhook?: components["schemas"]["Link"];
                readonly retry?: components["schemas"]["Action"];
            };
        };
        /** @description Work that goes on after its request. */
        readonly Operation: {
            readonly id: components["schemas"]["Id"];
            /**
             * @description What is done.
             * @enum {string}
             */
            readonly kind: "import";
            /**
             * @description What the rows are: products, users, categories, the stock or the prices of products that exist, or the orders of another shop.
             * @enum {string}
             */
            readonly resource: "products" | "users" | "stock" | "prices" | "categories" | "orders";
            /**
             * @description Whether rows are only checked.
             * @example false
             */
            readonly dry_run: boolean;
            /**
             * @description How far it is. An import with rows that failed has succeeded; it has failed where its file cannot be read.
             * @enum {string}
             */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description The rows so far. */
            readonly progress: {
                /**
                 * @description The rows that were imported, or are as they were.
                 * @example 3
                 */
                readonly done: number;
                /**
                 * @description The number of rows; null until the whole file has been read.
                 * @example 3
                 */
                readonly total: number | null;
                /**
                 * @description The rows with errors.
                 * @example 3
                 */
                readonly failed: number;
                /** @description The images that are fetched after the rows, if these name any. */
                readonly images?: {
                    /**
                     * @description The images that were added, or are as they were.
                     * @example 3
                     */
                    readonly done: number;
                    /**
                     * @description The images that the rows name.
                     * @example 3
                     */
                    readonly total: number;
                    /**
                     * @description The images with errors.
                     * @example 3
                     */
                    readonly failed: number;
                };
            };
            /** @description Whether all rows, some or none were imported; null until the file has been imported to its end. */
            readonly outcome: ("complete" | "partial" | "nothing") | null;
            /** @description What has happened; null until the operation has ended. */
            readonly result: {
                /**
                 * @description The rows that created something.
                 * @example 3
                 */
                readonly created: number;
                /**
                 * @description The rows that changed something.
                 * @example 3
                 */
                readonly updated: number;
                /**
                 * @description The rows that changed nothing.
                 * @example 3
                 */
                readonly unchanged: number;
                /**
                 * @description The rows whose key a later row of the file has, too: the last one wins.
                 * @example 3
                 */
                readonly overwritten: number;
                /**
                 * @description The rows for which a SKU was made, since the file has none for them.
                 * @example 3
                 */
                readonly made_skus: number;
                /** @description What was recognised in the file. */
                readonly detected: {
                    /**
                     * @description Whose columns it has.
                     * @enum {string}
                     */
                    readonly format: "cartwright" | "shopify" | "woocommerce" | "magento" | "prestashop" | "etsy" | "google";
                    /**
                     * @description What stands between cells; null for NDJSON, workbooks and feeds.
                     * @example ;
                     */
                    readonly separator: string | null;
                    /**
                     * @description How its text was encoded.
                     * @example UTF-8
                     * @example UTF-16LE
                     * @example windows-1252
                     */
                    readonly encoding: string;
                    /** @description What stands before decimals; null for NDJSON. */
                    readonly decimal: ("," | ".") | null;
                };
                /**
                 * @description The field that each column is; null for one that changes none. A column that only tells how others are read is not among them. Of at most 500 columns.
                 * @example {
                 *       "Article": "sku",
                 *       "Variant Price": "price",
                 *       "Remark": null
                 *     }
                 */
                readonly mapping: {
                    readonly [key: string]: string | null;
                };
                /** @description The columns that mean nothing here, at most 100. */
                readonly ignored_columns: readonly {
                    /**
                     * @description The name of the column.
                     * @example Vendor
                     */
                    readonly name: string;
                    /**
                     * @description The number of rows with a value of it.
                     * @example 3
                     */
                    readonly values: number;
                }[];
                /** @description What a file of another system has that a field cannot have, which is then left as it is; the first 200. */
                readonly warnings: readonly {
                    /**
                     * @description The number of the row, as spreadsheets count them: the header is the first.
                     * @example 3
                     */
                    readonly row: number;
                    /**
                     * @description The field or column.
                     * @example gtin
                     */
                    readonly field: string;
                    /**
                     * @description The first 100 characters of what the file has; null without a value, and for users and orders without the write scope.
                     * @example 4006381333932
                     */
                    readonly value: string | null;
                    /**
                     * @description What is wrong with it.
                     * @example must be a GTIN
                     */
                    readonly message: string;
                }[];
                /** @description The first 100 keys that several rows have. Only with the write scope of what was imported. */
                readonly repeated_keys?: readonly {
                    /**
                     * @description The SKU, email or other key of the row, as the file has it.
                     * @example KETTLE-1
                     */
                    readonly key: string;
                    /**
                     * @description The number of rows that have it.
                     * @example 3
                     */
                    readonly count: number;
                    /** @description The first ten of these rows. */
                    readonly rows: readonly number[];
                }[];
                /** @description The first ten rows of a dry run, as they would become. Only with the write scope of what was imported. */
                readonly preview?: readonly {
                    /**
                     * @description The number of the row, as spreadsheets count them: the header is the first.
                     * @example 3
                     */
                    readonly row: number;
                    /**
                     * @description The SKU, email or other key of the row, as the file has it; null without one.
                     * @example KETTLE-1
                     */
                    readonly key: string | null;
                    /**
                     * @description What the import would do with it; why it fails is listed under `errors`.
                     * @enum {string}
                     */
                    readonly outcome: "created" | "updated" | "unchanged" | "failed";
                    /**
                     * @description The fields that it would set, by the names that columns have here: the first 100 characters of each; null for an empty one.
                     * @example {
                     *       "sku": "KETTLE-1",
                     *       "name": "Enamel kettle",
                     *       "price": "12.5",
                     *       "options.Size": null
                     *     }
                     */
                    readonly fields: {
                        readonly [key: string]: string | null;
                    };
                }[];
            } | null;
            /**
             * @description Why it ended before the end of the file: the file cannot be read any further, or the credential that started it has ended; null otherwise.
             * @example The quote of the record at line 7 is never closed.
             */
            readonly failure: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             */
            readonly finished_at: string | null;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly errors?: components["schemas"]["Link"];
                readonly cancel?: components["schemas"]["Action"];
            };
        };
        /** @description Why a row was not imported. */
        readonly OperationError: {
            /**
             * @description The number of the row, as spreadsheets count them: the header is the first.
             * @example 3
             */
            readonly record: number;
            /**
             * @description The line where the row begins.
             * @example 7
             */
            readonly line: number;
            /**
             * @description The SKU or email of the row; null without one.
             * @example KETTLE-1
             */
            readonly key: string | null;
            /**
             * @description The field or column; null for the whole row.
             * @example price
             */
            readonly field: string | null;
            /**
             * @description The first 100 characters of what the field has; null without a value.
             * @example 19,9O
             */
            readonly value: string | null;
            /**
             * @description The error code, as in a problem.
             * @example 4221
             */
            readonly error_code: string;
            /**
             * @description What is wrong.
             * @example must be a number
             */
            readonly message: string;
            readonly _links: {
                readonly self?: components["schemas"]["Link"];
            };
        };
        /** @description An operation on an account or a credential: who did it, when and from where. */
        readonly AuditEvent: {
            readonly id: components["schemas"]["Id"];
            /** @description The operation. */
            readonly action: components["schemas"]["AuditAction"];
            /** @description The user who did it; null for an anonymous caller and for the server itself. */
            readonly actor_id: components["schemas"]["Id"] | null;
            /** @description The user whose account it concerns; null when the name is unknown. */
            readonly subject_id: components["schemas"]["Id"] | null;
            /**
             * @description The network address of the client.
             * @example 203.0.113.7
             */
            readonly address: string | null;
            /**
             * @description How the caller authenticated: password, refresh_token or a scheme; command for a command of the operator.
             * @example password
             */
            readonly credential: string | null;
            /**
             * @description The ID of the request, as in its log line.
             * @example b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e
             */
            readonly request_id: string | null;
            /** @description Details of the operation. */
            readonly details: {
                /**
                 * @description The previous role or status.
                 * @example customer
                 */
                readonly from?: string;
                /**
                 * @description The new role or status.
                 * @example admin
                 */
                readonly to?: string;
                /** @description The ID of the API key, the session or the guest. */
                readonly id?: components["schemas"]["Id"];
                /** @description The ID of the OAuth client, at /oauth-clients. */
                readonly oauth_client?: components["schemas"]["Id"];
                readonly webhook?: components["schemas"]["Id"];
                /**
                 * @description The OAuth client identifier.
                 * @example c_4fQ2m9
                 */
                readonly client_id?: string;
                /**
                 * @description The scopes of the OAuth client or of the grant.
                 * @example openid orders:read
                 */
                readonly scope?: string;
            } | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly at: string;
            readonly created_at: components["schemas"]["CreatedAt"];
            readonly updated_at: components["schemas"]["UpdatedAt"];
            readonly _links: {
                readonly self: components["schemas"]["Link"];
                readonly subject?: components["schemas"]["Link"];
            };
        };
        /** @description Receives notifications of the payment provider. */
        readonly PaymentNotification: {
            /** @description Always true: the notification need not be sent again. */
            readonly received: boolean;
            readonly _links: {
                readonly self?: components["schemas"]["Action"];
            };
        };
        /**
         * @example {
         *       "name": "Enamel kettle",
         *       "description": "Holds two litres; whistles.",
         *       "sku": "KETTLE-1",
         *       "price": 12.5,
         *       "category": "kitchen",
         *       "stock": 12,
         *       "backorder": false,
         *       "image_url": "https://example.com/kettle.jpg",
         *       "handle": "enamel-kettle",
         *       "brand": "Larkpost",
         *       "gtin": "4006381333931",
         *       "external_id": "ERP-4711",
         *       "tax_class": "reduced",
         *       "weight_grams": 850,
         *       "requires_shipping": true,
         *       "tags": [
         *         "summer",
         *         "sale"
         *       ],
         *       "seo_title": "Enamel kettle, 2 l",
         *       "seo_description": "A kettle that whistles.",
         *       "description_html": "<p>Holds <strong>two litres</strong>; whistles.</p>"
         *     }
         */
        readonly ProductBody: {
            /** @description The name of the product. */
            readonly name: string;
            /** @description A description of the product, as plain text; setting it alone replaces description_html, too. Default: `""`. */
            readonly description?: string | null;
            /** @description Stock keeping unit; unique, whatever its case and blanks. */
            readonly sku?: string | null;
            /** @description The price of one unit. */
            readonly price: components["schemas"]["MoneyInput"];
            /** @description The name of the category of the product; a new name is a new category, at the root. */
            readonly category?: string | null;
            /** @description Whether the product can be bought; in_stock, out_of_stock and backorder follow the stock when it is counted. Default: `"in_stock"`. */
            readonly availability?: ("in_stock" | "out_of_stock" | "preorder" | "discontinued" | "backorder") | null;
            /** @description Whether the product is shown and sold; a draft or archived one only administrators with the scope products:write see, and its variants. Default: `"active"`. */
            readonly status?: ("active" | "draft" | "archived") | null;
            /** @description Units in stock; null when the stock is not counted. Below 0, which needs `backorder`, units are owed. */
            readonly stock?: number | null;
            /** @description Whether the product can be bought when its stock is 0 or below. Default: `false`. */
            readonly backorder?: boolean | null;
            /**
             * Format: uri
             * @description The URL of a picture; with images that of the first, and read-only.
             */
            readonly image_url?: string | null;
            /** @description The product of which this one is a variant; it cannot be a variant. */
            readonly variant_of?: components["schemas"]["Id"] | null;
            /** @description Of a variant its values; of a product with variants a list. */
            readonly options?: components["schemas"]["OptionChanges"] | components["schemas"]["OptionsInput"] | null;
            /** @description Names the product in the addresses of a shop front; unique. Null or left out, it stays, and a new product that is no variant has one made from its name. */
            readonly handle?: string | null;
            /** @description The brand. */
            readonly brand?: string | null;
            /** @description Global Trade Item Number: 8, 12, 13 or 14 digits, the last of which is right; unique, whatever its leading zeros. */
            readonly gtin?: string | null;
            /** @description The ID of the product in another system; unique. */
            readonly external_id?: string | null;
            /** @description The class by which tax rates are chosen, before the category; a variant without one has that of its parent. */
            readonly tax_class?: string | null;
            /** @description A price to compare with, such as the one before a reduction. */
            readonly compare_at_price?: components["schemas"]["MoneyInput"] | null;
            /** @description What one unit costs the shop; shown to administrators with the scope products:write only, and in no event. */
            readonly cost_price?: components["schemas"]["MoneyInput"] | null;
            /** @description The weight of one unit with its packaging. */
            readonly weight_grams?: number | null;
            /** @description How much one unit of the product holds. */
            readonly unit_measure?: components["schemas"]["UnitMeasureInput"] | null;
            /** @description Whether the product is sent; an order of none that is needs no address. Default: `true`. */
            readonly requires_shipping?: boolean | null;
            /** @description Words by which products are grouped and found, each once. Default: `[]`. */
            readonly tags?: readonly string[] | null;
            /** @description Further properties by names of 1 to 50 characters; a value is a text, a number, a boolean or a list of texts. */
            readonly attributes?: components["schemas"]["AttributesInput"] | null;
            /** @description The title of its page for search engines. */
            readonly seo_title?: string | null;
            /** @description The description of its page for search engines. */
            readonly seo_description?: string | null;
            /** @description The description as HTML. Setting it sets description to its text. Headings, lists, links, tables, emphasis and pictures of https are kept; other blocks become paragraphs. */
            readonly description_html?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `ProductBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "name": "Enamel kettle",
         *       "description": "Holds two litres; whistles.",
         *       "sku": "KETTLE-1",
         *       "category": "kitchen",
         *       "stock": 12,
         *       "backorder": false,
         *       "image_url": "https://example.com/kettle.jpg",
         *       "handle": "enamel-kettle",
         *       "brand": "Larkpost",
         *       "gtin": "4006381333931",
         *       "external_id": "ERP-4711",
         *       "tax_class": "reduced",
         *       "weight_grams": 850,
         *       "requires_shipping": true,
         *       "tags": [
         *         "summer",
         *         "sale"
         *       ],
         *       "seo_title": "Enamel kettle, 2 l",
         *       "seo_description": "A kettle that whistles.",
         *       "description_html": "<p>Holds <strong>two litres</strong>; whistles.</p>"
         *     }
         */
        readonly ProductPatch: {
            readonly name?: string;
            readonly description?: string | null;
            readonly sku?: string | null;
            readonly price?: components["schemas"]["MoneyInput"];
            readonly category?: string | null;
            readonly availability?: ("in_stock" | "out_of_stock" | "preorder" | "discontinued" | "backorder") | null;
            readonly status?: ("active" | "draft" | "archived") | null;
            readonly stock?: number | null;
            readonly backorder?: boolean | null;
            /** Format: uri */
            readonly image_url?: string | null;
            readonly variant_of?: components["schemas"]["Id"] | null;
            readonly options?: components["schemas"]["OptionChanges"] | {
                readonly [key: string]: string | null;
            } | null;
            readonly handle?: string | null;
            readonly brand?: string | null;
            readonly gtin?: string | null;
            readonly external_id?: string | null;
            readonly tax_class?: string | null;
            readonly compare_at_price?: components["schemas"]["MoneyInput"] | null;
            readonly cost_price?: components["schemas"]["MoneyInput"] | null;
            readonly weight_grams?: number | null;
            readonly unit_measure?: {
                /**
                 * @description How many units, as decimal text.
                 * @example 0.75
                 */
                readonly quantity?: string;
                /**
                 * @description The unit.
                 * @enum {string}
                 */
                readonly unit?: "g" | "kg" | "ml" | "l" | "m" | "m2" | "piece";
            } | null;
            readonly requires_shipping?: boolean | null;
            readonly tags?: readonly string[] | null;
            readonly attributes?: {
                readonly [key: string]: string | number | boolean | readonly string[] | null;
            } | null;
            readonly seo_title?: string | null;
            readonly seo_description?: string | null;
            readonly description_html?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Other fields are described in `ProductBody`. */
        readonly NewVariant: {
            readonly name?: string;
            readonly description?: string | null;
            readonly sku?: string | null;
            readonly price?: components["schemas"]["MoneyInput"];
            readonly category?: string | null;
            readonly availability?: ("in_stock" | "out_of_stock" | "preorder" | "discontinued" | "backorder") | null;
            readonly status?: ("active" | "draft" | "archived") | null;
            readonly stock?: number | null;
            readonly backorder?: boolean | null;
            /** Format: uri */
            readonly image_url?: string | null;
            readonly options: components["schemas"]["OptionsInput"];
            readonly handle?: string | null;
            readonly brand?: string | null;
            readonly gtin?: string | null;
            readonly external_id?: string | null;
            readonly tax_class?: string | null;
            readonly compare_at_price?: components["schemas"]["MoneyInput"] | null;
            readonly cost_price?: components["schemas"]["MoneyInput"] | null;
            readonly weight_grams?: number | null;
            readonly unit_measure?: components["schemas"]["UnitMeasureInput"] | null;
            readonly requires_shipping?: boolean | null;
            readonly tags?: readonly string[] | null;
            readonly attributes?: components["schemas"]["AttributesInput"] | null;
            readonly seo_title?: string | null;
            readonly seo_description?: string | null;
            readonly description_html?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "alt": "A blue kettle",
         *       "position": 1
         *     }
         */
        readonly ImagePatch: {
            /** @description What the image shows, for those who cannot see it. */
            readonly alt?: string | null;
            /** @description The place among the images of the product, from 1. */
            readonly position?: number;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "kitchen",
         *       "handle": "kitchen",
         *       "position": 0,
         *       "description": ""
         *     }
         */
        readonly CategoryBody: {
            /** @description The name, which its products have; unique, however it is written. */
            readonly name: string;
            /** @description Names the category in addresses; unique. Null or left out, it stays; a new category has one made from its name. */
            readonly handle?: string | null;
            /** @description The category above; null at the root. A path has 10 at most. */
            readonly parent_id?: components["schemas"]["Id"] | null;
            /** @description Its place among its siblings. Default: `0`. */
            readonly position?: number | null;
            /** @description What it has, for shoppers. Default: `""`. */
            readonly description?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `CategoryBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "name": "kitchen",
         *       "handle": "kitchen",
         *       "position": 0,
         *       "description": ""
         *     }
         */
        readonly CategoryPatch: {
            readonly name?: string;
            readonly handle?: string | null;
            readonly parent_id?: components["schemas"]["Id"] | null;
            readonly position?: number | null;
            readonly description?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "rating": 5,
         *       "title": "Keeps its promise",
         *       "body": "Boils in four minutes, and pours without a drop."
         *     }
         */
        readonly NewReview: {
            /** @description From 1 (bad) to 5 (good). */
            readonly rating: number;
            /** @description A summary of the review. */
            readonly title?: string | null;
            /** @description The text of the review. */
            readonly body?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "rating": 5,
         *       "title": "Keeps its promise",
         *       "body": "Boils in four minutes, and pours without a drop."
         *     }
         */
        readonly ReviewPatch: {
            /** @description From 1 (bad) to 5 (good). */
            readonly rating?: number;
            /** @description A summary of the review. */
            readonly title?: string | null;
            /** @description The text of the review. */
            readonly body?: string | null;
            /**
             * @description A hidden review does not count in the rating, and only its author and administrators see it.
             * @enum {string}
             */
            readonly status?: "published" | "hidden";
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com",
         *       "age": 36,
         *       "username": "ada",
         *       "password": "correct horse battery staple",
         *       "phone": "+44 20 7946 0000",
         *       "external_id": "CRM-4711"
         *     }
         */
        readonly NewUser: {
            /** @description The display name. */
            readonly name: string;
            /** @description Unique, ignoring case, except for guests. */
            readonly email?: components["schemas"]["EmailAddressInput"] | null;
            /** @description In years. */
            readonly age?: number | null;
            /** @description The name to sign in with; unique, ignoring case; the email by default. It contains @ only as the email of the account, and then changes with it. */
            readonly username?: string | null;
            /** @description Never part of a response. */
            readonly password?: string;
            /**
             * @description Only an administrator signed in with a password can set it. A guest who sets one becomes a customer.
             * @enum {string}
             */
            readonly role?: "customer" | "guest" | "admin";
            /**
             * @description Only an administrator signed in with a password can set it; a suspended user cannot sign in.
             * @enum {string}
             */
            readonly status?: "active" | "suspended";
            /**
             * @description The language of mails to the user; that of Accept-Language at sign-up by default.
             * @enum {string}
             */
            readonly language?: "en" | "zh" | "es" | "fr" | "de";
            /** @description The telephone number; several users may have it. */
            readonly phone?: string | null;
            /** @description The ID of the user in another system; unique. Only an administrator can set it; a PUT without it keeps it. */
            readonly external_id?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description Other fields are described in `NewUser`.
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com",
         *       "age": 36,
         *       "username": "ada",
         *       "password": "correct horse battery staple",
         *       "phone": "+44 20 7946 0000",
         *       "external_id": "CRM-4711",
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly UserBody: {
            readonly name: string;
            readonly email?: components["schemas"]["EmailAddressInput"] | null;
            readonly age?: number | null;
            readonly username?: string | null;
            readonly password?: string;
            /** @enum {string} */
            readonly role?: "customer" | "guest" | "admin";
            /** @enum {string} */
            readonly status?: "active" | "suspended";
            /** @enum {string} */
            readonly language?: "en" | "zh" | "es" | "fr" | "de";
            readonly phone?: string | null;
            readonly external_id?: string | null;
            /** @description Your own; required to change your own username or password, and to change an email, or the username of another user, more than ten minutes after a sign-in. */
            readonly current_password?: string;
            /** @description Whether your new password ends your other sessions and the tokens of applications. Default: `true`. */
            readonly end_others?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `UserBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com",
         *       "age": 36,
         *       "username": "ada",
         *       "password": "correct horse battery staple",
         *       "phone": "+44 20 7946 0000",
         *       "external_id": "CRM-4711",
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly UserPatch: {
            readonly name?: string;
            readonly email?: components["schemas"]["EmailAddressInput"] | null;
            readonly age?: number | null;
            readonly username?: string | null;
            readonly password?: string;
            /** @enum {string} */
            readonly role?: "customer" | "guest" | "admin";
            /** @enum {string} */
            readonly status?: "active" | "suspended";
            /** @enum {string} */
            readonly language?: "en" | "zh" | "es" | "fr" | "de";
            readonly phone?: string | null;
            readonly external_id?: string | null;
            readonly current_password?: string;
            readonly end_others?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        readonly NewLogin: components["schemas"]["PasswordLogin"] | components["schemas"]["TokenRenewal"];
        /**
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com"
         *     }
         */
        readonly NewGuest: {
            /** @description The display name. */
            readonly name?: string;
            /** @description Unique, ignoring case, except for guests. */
            readonly email?: components["schemas"]["EmailAddressInput"] | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        readonly NewPasswordResetRequest: {
            /** @description The address of the account. */
            readonly email: components["schemas"]["EmailAddressInput"];
        };
        /**
         * @example {
         *       "password": "correct horse battery staple"
         *     }
         */
        readonly PasswordResetBody: {
            /** @description Never part of a response. */
            readonly password: string;
        };
        readonly NewEmailConfirmationRequest: Record<string, never>;
        readonly EmailConfirmationBody: Record<string, never>;
        readonly EmailRejectionBody: Record<string, never>;
        readonly AddressChangeBody: Record<string, never>;
        /**
         * @example {
         *       "recipient": "Ada Lovelace",
         *       "line1": "12 St James’s Square",
         *       "line2": "Second floor",
         *       "city": "London",
         *       "region": "Greater London",
         *       "postal_code": "SW1Y 4JH",
         *       "country": "AD",
         *       "company": "Analytical Engines Ltd",
         *       "vat_id": "GB123456789",
         *       "phone": "+44 20 7946 0000",
         *       "is_default": true
         *     }
         */
        readonly AddressBody: {
            /** @description Name of the recipient. */
            readonly recipient: string;
            /** @description Street and number. */
            readonly line1: string;
            /** @description Apartment, floor or other details. */
            readonly line2?: string | null;
            /** @description City or town. */
            readonly city: string;
            /** @description State, province or county. In AE, AR, AU, BR, CA, CN, ES, ID, IN, IT, JP, MX, MY and US a code (ISO 3166-2, with or without the country) or a name in English or the language of the country, which becomes the code without the country. */
            readonly region?: string | null;
            /** @description In the format of the country; required where addresses need one. */
            readonly postal_code?: string | null;
            /** @description ISO 3166-1 alpha-2 code. */
            readonly country: components["schemas"]["CountryCode"];
            /** @description The company of the recipient. */
            readonly company?: string | null;
            /** @description The VAT ID of the recipient; it is not checked. */
            readonly vat_id?: string | null;
            /** @description Phone number for the carrier. */
            readonly phone?: string | null;
            /** @description True for one address of a user: the first, until another is made the default. */
            readonly is_default?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `AddressBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "recipient": "Ada Lovelace",
         *       "line1": "12 St James’s Square",
         *       "line2": "Second floor",
         *       "city": "London",
         *       "region": "Greater London",
         *       "postal_code": "SW1Y 4JH",
         *       "company": "Analytical Engines Ltd",
         *       "vat_id": "GB123456789",
         *       "phone": "+44 20 7946 0000",
         *       "is_default": true
         *     }
         */
        readonly AddressPatch: {
            readonly recipient?: string;
            readonly line1?: string;
            readonly line2?: string | null;
            readonly city?: string;
            readonly region?: string | null;
            readonly postal_code?: string | null;
            readonly country?: components["schemas"]["CountryCode"];
            readonly company?: string | null;
            readonly vat_id?: string | null;
            readonly phone?: string | null;
            readonly is_default?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "password": "correct horse battery staple",
         *       "current_password": "correct horse battery staple",
         *       "reason": "I buy elsewhere now."
         *     }
         */
        readonly NewErasure: {
            /** @description Confirms the identity of the user; a wrong password is rejected with 403. */
            readonly password?: string;
            /** @description The same as `password`. */
            readonly current_password?: string;
            /** @description The reason for leaving; erased with the account. */
            readonly reason?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "code": "WELCOME10"
         *     }
         */
        readonly CartBody: {
            /** @description The code of a discount, regardless of case and of blanks around it; blank for none. */
            readonly code: string;
        };
        /**
         * @example {
         *       "product_id": 1,
         *       "quantity": 2
         *     }
         */
        readonly NewCartItem: {
            readonly product_id: components["schemas"]["Id"];
            /** @description The number of units. */
            readonly quantity: number;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "quantity": 2
         *     }
         */
        readonly CartItemPatch: {
            /** @description The number of units. */
            readonly quantity?: number;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "note": "Please ring twice.",
         *       "external_id": "ERP-4711",
         *       "discount_code": "WELCOME10"
         *     }
         */
        readonly NewOrder: {
            /** @description The items to order, each product once. */
            readonly items?: readonly components["schemas"]["OrderLine"][];
            readonly shipping?: components["schemas"]["ShippingChoice"];
            /** @description A note to the shop. */
            readonly note?: string | null;
            /** @description The ID of the order in another system; unique. Only an administrator can set it; a PUT without it keeps it. */
            readonly external_id?: string | null;
            /** @description Answers 409 unless the total is this. */
            readonly expected_total?: components["schemas"]["MoneyInput"];
            /** @description The code of a discount; by default that of the cart when the cart is ordered. Null for none. */
            readonly discount_code?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `OrderBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "note": "Please ring twice.",
         *       "external_id": "ERP-4711"
         *     }
         */
        readonly OrderPatch: {
            /**
             * @description The status of the order.
             * @enum {string}
             */
            readonly status?: "pending" | "paid" | "shipped" | "delivered" | "cancelled" | "refunded";
            readonly note?: string | null;
            readonly external_id?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description Other fields are described in `NewOrder`.
         * @example {
         *       "note": "Please ring twice.",
         *       "external_id": "ERP-4711",
         *       "discount_code": "WELCOME10"
         *     }
         */
        readonly OrderBody: {
            readonly items?: readonly components["schemas"]["OrderLine"][];
            readonly shipping?: components["schemas"]["ShippingChoice"];
            readonly note?: string | null;
            readonly external_id?: string | null;
            /** @description Null removes the discount; omitted, it stays. Takes no other code. */
            readonly discount_code?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "method": "standard",
         *       "recipient": "Ada Lovelace",
         *       "company": "Analytical Engines Ltd",
         *       "vat_id": "GB123456789",
         *       "phone": "+44 20 7946 0000",
         *       "carrier": "Royal Mail",
         *       "tracking_number": "RM123456789GB",
         *       "tracking_url": "https://example.com/track/RM123456789GB"
         *     }
         */
        readonly OrderShippingBody: {
            /** @description The code of the shipping method; `standard` where a POST or PUT names none. */
            readonly method?: string | null;
            /** @description Name of the recipient. */
            readonly recipient?: string | null;
            /** @description The company of the recipient. */
            readonly company?: string | null;
            /** @description The VAT ID of the recipient; it is not checked. */
            readonly vat_id?: string | null;
            /** @description Phone number for the carrier. */
            readonly phone?: string | null;
            /** @description A postal address. */
            readonly address?: components["schemas"]["PostalAddressInput"] | null;
            /** @description Instead of `address`: a saved one of the buyer, copied with its recipient; requires the scope users:read. */
            readonly address_id?: components["schemas"]["Id"];
            /**
             * @description The status of the parcel.
             * @enum {string}
             */
            readonly status?: "pending" | "in_transit" | "delivered";
            /** @description Name of the carrier. */
            readonly carrier?: string | null;
            /** @description Tracking number of the carrier. */
            readonly tracking_number?: string | null;
            /**
             * Format: uri
             * @description Page that tracks the parcel.
             */
            readonly tracking_url?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "method": "card",
         *       "token": "tok_visa"
         *     }
         */
        readonly NewPayment: {
            /**
             * @description The payment method.
             * @enum {string}
             */
            readonly method: "card";
            /** @description Token of the provider for the card; `/docs/tasks` lists those of the sandbox. */
            readonly token: string;
            /** @description The total of the order; answers 422 if it differs. */
            readonly amount?: components["schemas"]["MoneyInput"];
            /** @description Where the browser of the buyer returns after an action, with payment_id added to its query; on an origin of CORS_ORIGINS or of the server. */
            readonly return_url?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "reason": "Arrived broken"
         *     }
         */
        readonly NewRefund: {
            /** @description An amount above 0, without pieces and shipping cost. */
            readonly amount?: components["schemas"]["MoneyInput"];
            /** @description The pieces to refund. */
            readonly items?: readonly components["schemas"]["RefundItemInput"][];
            /** @description Refunds the shipping cost. */
            readonly shipping?: boolean;
            /** @description Why the money is returned. */
            readonly reason?: string | null;
            /** @description Puts the pieces back to the stock; true by default. Not with an amount. */
            readonly restock?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "carrier": "Royal Mail",
         *       "tracking_number": "RM123456789GB",
         *       "tracking_url": "https://example.com/track/RM123456789GB"
         *     }
         */
        readonly NewParcel: {
            /** @description The pieces in the parcel. */
            readonly items?: readonly components["schemas"]["ParcelItemInput"][];
            /** @description Name of the carrier. */
            readonly carrier?: string | null;
            /** @description Tracking number of the carrier. */
            readonly tracking_number?: string | null;
            /**
             * Format: uri
             * @description Page that tracks the parcel; without one, it follows from the number for the commonest carriers.
             */
            readonly tracking_url?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "carrier": "Royal Mail",
         *       "tracking_number": "RM123456789GB",
         *       "tracking_url": "https://example.com/track/RM123456789GB"
         *     }
         */
        readonly ParcelPatch: {
            /**
             * @description Whether the parcel has arrived.
             * @enum {string}
             */
            readonly status?: "in_transit" | "delivered";
            /** @description Name of the carrier. */
            readonly carrier?: string | null;
            /** @description Tracking number of the carrier. */
            readonly tracking_number?: string | null;
            /**
             * Format: uri
             * @description Page that tracks the parcel; without one, it follows from the number for the commonest carriers.
             */
            readonly tracking_url?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        readonly NewReturn: {
            /** @description The pieces. */
            readonly items: readonly components["schemas"]["ReturnItemInput"][];
            /**
             * @description A `return` is of pieces that were sent; a `withdrawal` from the contract also of those that were not yet.
             * @enum {string}
             */
            readonly kind: "return" | "withdrawal";
            /**
             * @description Why the buyer returns them.
             * @example Too small
             */
            readonly reason?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "restock": true,
         *       "reply": "They were worn."
         *     }
         */
        readonly ReturnPatch: {
            /**
             * @description How far it has come.
             * @enum {string}
             */
            readonly status?: "requested" | "approved" | "rejected" | "received" | "refunded";
            /** @description Whether the pieces go back to the stock with their refund. */
            readonly restock?: boolean;
            /** @description What the shop answers, such as why it rejects the return. */
            readonly reply?: string | null;
            /** @description With `true`, the pieces of a return that was received are refunded. */
            readonly refund?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "order_number": "1001",
         *       "email": "ada@example.com",
         *       "name": "Ada Lovelace"
         *     }
         */
        readonly NewWithdrawal: {
            /** @description The number of the order. */
            readonly order_number: string;
            /** @description The email address of the order, to which the confirmation goes. */
            readonly email: string;
            /** @description The name of who withdraws. */
            readonly name: string;
            /** @description The pieces from whose contract the buyer withdraws; by default all. */
            readonly items?: readonly components["schemas"]["ReturnItemInput"][];
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "Warehouse scanner",
         *       "scopes": [
         *         "orders:read"
         *       ],
         *       "expires_at": "2036-01-31T12:00:00.000Z",
         *       "rate_limit": "1000/60s",
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly NewApiKey: {
            /** @description A label that the owner chooses. */
            readonly name: string;
            /** @description What the key allows; by default, everything that the creating credential allows. */
            readonly scopes?: readonly components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When the key stops being accepted; never by default.
             */
            readonly expires_at?: string | null;
            /** @description The client addresses the key is accepted from; any by default. */
            readonly allowed_addresses?: readonly string[] | null;
            /** @description The origins the key is accepted from; any by default. Pages there need the setting CORS_ORIGINS, too. */
            readonly allowed_origins?: readonly string[] | null;
            /**
             * Format: rate-limit
             * @description Replaces the default rate limit, for each endpoint: requests per time of at most an hour, or off. Only administrators set it.
             */
            readonly rate_limit?: string | null;
            /** @description Your own; required more than ten minutes after a sign-in. */
            readonly current_password?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "Warehouse scanner",
         *       "rate_limit": "1000/60s"
         *     }
         */
        readonly ApiKeyPatch: {
            /** @description A label that the owner chooses. */
            readonly name?: string;
            /**
             * Format: rate-limit
             * @description Replaces the default rate limit, for each endpoint: requests per time of at most an hour, or off. Only administrators set it.
             */
            readonly rate_limit?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "grace_seconds": 3600,
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly NewApiKeyRotations: {
            /** @description How long the replaced key stays valid. Default: `0`. */
            readonly grace_seconds?: number;
            /** @description Your own; required more than ten minutes after a sign-in. */
            readonly current_password?: string;
        };
        /**
         * @description Other fields are described in `NewOauthClient`.
         * @example {
         *       "client_name": "Parcel Tracker",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "post_logout_redirect_uris": [
         *         "https://app.example.com/signed-out"
         *       ],
         *       "grant_types": [
         *         "authorization_code",
         *         "refresh_token"
         *       ],
         *       "response_types": [
         *         "code"
         *       ],
         *       "scope": "openid profile orders:read",
         *       "contacts": [
         *         "dev@example.com"
         *       ],
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly OauthClientBody: {
            /** @description The name that the consent page shows to users. */
            readonly client_name: string;
            /**
             * @description A native application may redirect to any port of a loopback address (RFC 8252 section 7.3). Default: `"web"`.
             * @enum {string}
             */
            readonly application_type?: "web" | "native";
            /** @description Where users may be sent after signing in, compared exactly: https, or http on a loopback address for native applications and in development. Default: `[]`. */
            readonly redirect_uris?: readonly components["schemas"]["RedirectUriInput"][];
            /** @description Where users may be sent after signing out (OpenID Connect RP-Initiated Logout 1.0); same rules as `redirect_uris`. Default: `[]`. */
            readonly post_logout_redirect_uris?: readonly components["schemas"]["RedirectUriInput"][];
            /** @description The grant types it may use; `authorization_code` by default. Default: `["authorization_code"]`. */
            readonly grant_types?: readonly ("authorization_code" | "implicit" | "password" | "client_credentials" | "refresh_token")[];
            /** @description The response types it may request; by default, all that its grant types allow. */
            readonly response_types?: readonly ("code" | "token" | "id_token" | "id_token token")[] | null;
            /**
             * @description How it authenticates; `none` for a public client, which cannot keep a secret. Default: `"client_secret_basic"`.
             * @enum {string}
             */
            readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "none";
            /** @description The scopes that it may be granted, separated by spaces; by default, those of OpenID Connect. Default: `"openid profile email offline_access"`. */
            readonly scope?: string;
            /**
             * Format: uri
             * @description The home page of the application.
             */
            readonly client_uri?: string | null;
            /**
             * Format: uri
             * @description Its privacy policy.
             */
            readonly policy_uri?: string | null;
            /**
             * Format: uri
             * @description Its terms of service.
             */
            readonly tos_uri?: string | null;
            /** @description The email addresses of the people responsible for it. Default: `[]`. */
            readonly contacts?: readonly components["schemas"]["EmailAddressInput"][];
            /** @description The user it acts as with its own credentials: by default the user who registers it; null for none. Another user is rejected with 403. */
            readonly user_id?: components["schemas"]["Id"] | null;
            readonly current_password?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `OauthClientBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "client_name": "Parcel Tracker",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "post_logout_redirect_uris": [
         *         "https://app.example.com/signed-out"
         *       ],
         *       "grant_types": [
         *         "authorization_code",
         *         "refresh_token"
         *       ],
         *       "response_types": [
         *         "code"
         *       ],
         *       "scope": "openid profile orders:read",
         *       "contacts": [
         *         "dev@example.com"
         *       ],
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly OauthClientPatch: {
            readonly client_name?: string;
            readonly application_type?: ("web" | "native") | null;
            readonly redirect_uris?: readonly components["schemas"]["RedirectUriInput"][] | null;
            readonly post_logout_redirect_uris?: readonly components["schemas"]["RedirectUriInput"][] | null;
            readonly grant_types?: readonly ("authorization_code" | "implicit" | "password" | "client_credentials" | "refresh_token")[] | null;
            readonly response_types?: readonly ("code" | "token" | "id_token" | "id_token token")[] | null;
            readonly token_endpoint_auth_method?: ("client_secret_basic" | "client_secret_post" | "none") | null;
            readonly scope?: string | null;
            /** Format: uri */
            readonly client_uri?: string | null;
            /** Format: uri */
            readonly policy_uri?: string | null;
            /** Format: uri */
            readonly tos_uri?: string | null;
            readonly contacts?: readonly components["schemas"]["EmailAddressInput"][] | null;
            readonly user_id?: components["schemas"]["Id"] | null;
            readonly current_password?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "grace_seconds": 3600,
         *       "current_password": "correct horse battery staple"
         *     }
         */
        readonly NewOauthClient: {
            /** @description How long the replaced secret stays valid. Default: `0`. */
            readonly grace_seconds?: number;
            /** @description Your own; required more than ten minutes after a sign-in. */
            readonly current_password?: string;
        };
        /**
         * @example {
         *       "code": "standard",
         *       "name": "Standard delivery",
         *       "countries": [
         *         "GB",
         *         "IE"
         *       ],
         *       "price": 12.5,
         *       "delivery_days": 3,
         *       "active": true
         *     }
         */
        readonly ShippingMethodBody: {
            /** @description The code of the shipping method. */
            readonly code: string;
            /** @description The name that buyers see. */
            readonly name: string;
            /** @description The countries that the method delivers to; empty for all. Default: `[]`. */
            readonly countries?: readonly components["schemas"]["CountryCode"][] | null;
            /** @description The cost of the method. */
            readonly price: components["schemas"]["MoneyInput"];
            /** @description The subtotal, before any discount, from which the method costs nothing; null for never. */
            readonly free_from?: components["schemas"]["MoneyInput"] | null;
            /** @description The usual number of days until delivery. */
            readonly delivery_days?: number | null;
            /** @description Whether buyers can choose the method. Default: `true`. */
            readonly active?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `ShippingMethodBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "code": "standard",
         *       "name": "Standard delivery",
         *       "countries": [
         *         "GB",
         *         "IE"
         *       ],
         *       "delivery_days": 3,
         *       "active": true
         *     }
         */
        readonly ShippingMethodPatch: {
            readonly code?: string;
            readonly name?: string;
            readonly countries?: readonly components["schemas"]["CountryCode"][] | null;
            readonly price?: components["schemas"]["MoneyInput"];
            readonly free_from?: components["schemas"]["MoneyInput"] | null;
            readonly delivery_days?: number | null;
            readonly active?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "country": "AD",
         *       "region": "NY",
         *       "category": "books",
         *       "tax_class": "reduced",
         *       "rate": "19",
         *       "name": "VAT"
         *     }
         */
        readonly TaxRateBody: {
            /** @description The country that the order is sent to, as an ISO 3166-1 alpha-2 code. */
            readonly country: components["schemas"]["CountryCode"];
            /** @description The region of the address, regardless of case; null for all regions. State, province or county. In AE, AR, AU, BR, CA, CN, ES, ID, IN, IT, JP, MX, MY and US a code (ISO 3166-2, with or without the country) or a name in English or the language of the country, which becomes the code without the country. */
            readonly region?: string | null;
            /** @description The category of products; null for all, and for shipping. */
            readonly category?: string | null;
            /** @description The tax class of products, which outweighs their category; null for all, and for shipping. */
            readonly tax_class?: string | null;
            /** @description The rate in percent, as decimal text. */
            readonly rate: string;
            /** @description The name of the tax. */
            readonly name: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `TaxRateBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "region": "NY",
         *       "category": "books",
         *       "tax_class": "reduced",
         *       "rate": "19",
         *       "name": "VAT"
         *     }
         */
        readonly TaxRatePatch: {
            readonly country?: components["schemas"]["CountryCode"];
            readonly region?: string | null;
            readonly category?: string | null;
            readonly tax_class?: string | null;
            readonly rate?: string;
            readonly name?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "code": "WELCOME10",
         *       "kind": "percent",
         *       "value": "10",
         *       "products": [
         *         42
         *       ],
         *       "categories": [
         *         "kitchen"
         *       ],
         *       "usage_limit": 100,
         *       "usage_limit_per_user": 100,
         *       "active": true
         *     }
         */
        readonly DiscountBody: {
            /** @description The code that buyers enter, regardless of case. */
            readonly code: string;
            /**
             * @description What the discount reduces: the price by a share or by an amount, or the shipping.
             * @enum {string}
             */
            readonly kind: "percent" | "amount" | "free_shipping";
            /** @description A share in percent as decimal text, or an amount of money; null for free shipping. */
            readonly value?: string | components["schemas"]["MoneyInput"] | null;
            /** @description The least subtotal, before the discount, that it applies to. */
            readonly minimum_subtotal?: components["schemas"]["MoneyInput"] | null;
            /** @description The products, with their variants, that it applies to; with `categories`, either of them. Default: `[]`. */
            readonly products?: readonly components["schemas"]["Id"][] | null;
            /** @description The categories that it applies to; everything if both lists are empty. Default: `[]`. */
            readonly categories?: readonly string[] | null;
            /**
             * Format: date-time
             * @description The first instant at which it can be used.
             */
            readonly starts_at?: string | null;
            /**
             * Format: date-time
             * @description The first instant at which it no longer can.
             */
            readonly ends_at?: string | null;
            /** @description The number of orders that can use it. */
            readonly usage_limit?: number | null;
            /** @description The number of orders of one user, or with one contact address, that can use it; an address counts in orders that are paid or of the user who has confirmed it. */
            readonly usage_limit_per_user?: number | null;
            /** @description Whether it can be used. Default: `true`. */
            readonly active?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The fields of `DiscountBody`; an absent one stays as it is (RFC 7396).
         * @example {
         *       "code": "WELCOME10",
         *       "value": "10",
         *       "products": [
         *         42
         *       ],
         *       "categories": [
         *         "kitchen"
         *       ],
         *       "usage_limit": 100,
         *       "usage_limit_per_user": 100,
         *       "active": true
         *     }
         */
        readonly DiscountPatch: {
            readonly code?: string;
            /** @enum {string} */
            readonly kind?: "percent" | "amount" | "free_shipping";
            readonly value?: string | components["schemas"]["MoneyInput"] | null;
            readonly minimum_subtotal?: components["schemas"]["MoneyInput"] | null;
            readonly products?: readonly components["schemas"]["Id"][] | null;
            readonly categories?: readonly string[] | null;
            /** Format: date-time */
            readonly starts_at?: string | null;
            /** Format: date-time */
            readonly ends_at?: string | null;
            readonly usage_limit?: number | null;
            readonly usage_limit_per_user?: number | null;
            readonly active?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "url": "https://erp.example.com/hooks",
         *       "types": [
         *         "order.paid",
         *         "product.*"
         *       ],
         *       "description": "Warehouse",
         *       "active": true,
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        readonly NewWebhook: {
            /**
             * Format: uri
             * @description Where events are sent by POST: an https URL at a public address, or any in WEBHOOK_ALLOWED_NETWORKS.
             */
            readonly url: string;
            /** @description The types of events that are sent; `order.*` stands for all of orders, `*` for all. */
            readonly types: readonly components["schemas"]["EventTypes"][];
            /** @description A note for people. */
            readonly description?: string | null;
            /** @description Whether events are sent. Those of the time in which it is false are never sent. Default: `true`. */
            readonly active?: boolean;
            /** @description A secret to use; by default a new one. */
            readonly secret?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "url": "https://erp.example.com/hooks",
         *       "types": [
         *         "order.paid",
         *         "product.*"
         *       ],
         *       "description": "Warehouse",
         *       "active": true
         *     }
         */
        readonly WebhookPatch: {
            /**
             * Format: uri
             * @description Where events are sent by POST: an https URL at a public address, or any in WEBHOOK_ALLOWED_NETWORKS.
             */
            readonly url?: string;
            /** @description The types of events that are sent; `order.*` stands for all of orders, `*` for all. */
            readonly types?: readonly components["schemas"]["EventTypes"][];
            /** @description A note for people. */
            readonly description?: string | null;
            /** @description Whether events are sent. Those of the time in which it is false are never sent. */
            readonly active?: boolean | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        readonly NewWebhookRotations: {
            /** @description How long the replaced secret stays valid. Default: `0`. */
            readonly grace_seconds?: number;
        };
        readonly NewWebhookDelivery: Record<string, never>;
        readonly NewPaymentNotification: {
            readonly [key: string]: unknown;
        };
        readonly FacetValue: {
            /**
             * @description The value.
             * @example M
             */
            readonly value: string;
            /**
             * @description The number of products.
             * @example 3
             */
            readonly count: number;
        };
        readonly ProductPage: {
            readonly data: readonly components["schemas"]["Product"][];
            readonly pagination: components["schemas"]["Pagination"];
            /** @description At most 100 values of each requested facet. */
            readonly facets?: {
                /** @description The categories. */
                readonly category?: readonly components["schemas"]["FacetValue"][];
                /** @description The availabilities. */
                readonly availability?: readonly components["schemas"]["FacetValue"][];
                /** @description The ranges of prices. */
                readonly price?: readonly {
                    /** @description The lowest price. */
                    readonly from: components["schemas"]["Money"];
                    /** @description The highest price. */
                    readonly to: components["schemas"]["Money"];
                    /**
                     * @description The number of products.
                     * @example 3
                     */
                    readonly count: number;
                }[];
                /** @description The ratings. */
                readonly rating?: readonly {
                    /**
                     * @description The average rating in whole stars.
                     * @example 4
                     */
                    readonly value: number;
                    /**
                     * @description The number of products.
                     * @example 3
                     */
                    readonly count: number;
                }[];
            } & {
                readonly [key: string]: readonly components["schemas"]["FacetValue"][];
            };
        };
        readonly ImagePage: {
            readonly data: readonly components["schemas"]["Image"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CategoryPage: {
            readonly data: readonly components["schemas"]["Category"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly PricePage: {
            readonly data: readonly components["schemas"]["Price"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ReviewPage: {
            readonly data: readonly components["schemas"]["Review"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly UserPage: {
            readonly data: readonly components["schemas"]["User"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly SessionPage: {
            readonly data: readonly components["schemas"]["Session"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly AddressPage: {
            readonly data: readonly components["schemas"]["Address"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CartItemPage: {
            readonly data: readonly components["schemas"]["CartItem"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OrderPage: {
            readonly data: readonly components["schemas"]["Order"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OrderItemPage: {
            readonly data: readonly components["schemas"]["OrderItem"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly PaymentPage: {
            readonly data: readonly components["schemas"]["Payment"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly RefundPage: {
            readonly data: readonly components["schemas"]["Refund"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ParcelPage: {
            readonly data: readonly components["schemas"]["Parcel"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ReturnPage: {
            readonly data: readonly components["schemas"]["Return"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly PurchasePage: {
            readonly data: readonly components["schemas"]["Purchase"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ApiKeyPage: {
            readonly data: readonly components["schemas"]["ApiKey"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OauthClientPage: {
            readonly data: readonly components["schemas"]["OauthClient"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OauthConsentPage: {
            readonly data: readonly components["schemas"]["OauthConsent"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ShippingMethodPage: {
            readonly data: readonly components["schemas"]["ShippingMethod"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly TaxRatePage: {
            readonly data: readonly components["schemas"]["TaxRate"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly DiscountPage: {
            readonly data: readonly components["schemas"]["Discount"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly WebhookPage: {
            readonly data: readonly components["schemas"]["Webhook"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly WebhookDeliveryPage: {
            readonly data: readonly components["schemas"]["WebhookDelivery"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OperationPage: {
            readonly data: readonly components["schemas"]["Operation"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OperationErrorPage: {
            readonly data: readonly components["schemas"]["OperationError"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly AuditEventPage: {
            readonly data: readonly components["schemas"]["AuditEvent"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly EventFeed: {
            readonly data: readonly components["schemas"]["Event"][];
            readonly pagination: components["schemas"]["FeedPagination"];
        };
        /**
         * @description All personal data of a user, except the account itself. Present with `include`; needs `users:read`, `orders:read`, `carts:write`, `purchases:read`, `keys:write`. The response is not cached. The fields of entries are those of the resources.
         * @example {
         *       "sessions": [],
         *       "known_networks": [],
         *       "api_keys": [],
         *       "carts": [],
         *       "addresses": [],
         *       "reviews": [],
         *       "orders": [],
         *       "purchases": [],
         *       "oauth_clients": [],
         *       "oauth_consents": [],
         *       "audit_events": [],
         *       "deliveries": [],
         *       "events": [],
         *       "mails": [],
         *       "operations": [],
         *       "erasures": [],
         *       "incomplete": []
         *     }
         */
        readonly UserData: {
            /** @description The current and recent sessions of the user. */
            readonly sessions: readonly {
                readonly id?: number;
                readonly user_id?: number;
                readonly kind?: string;
                readonly address?: string | null;
                readonly expires_at?: string;
                readonly created_at?: string;
                readonly updated_at?: string;
                readonly ended_at?: string | null;
            }[];
            /** @description The networks from which the user signed in with a password in the last 90 days, and the one that gave an address that is not confirmed. */
            readonly known_networks: readonly {
                readonly network?: string;
                readonly seen_at?: string;
            }[];
            /** @description The API keys of the user, revoked keys included. */
            readonly api_keys: readonly {
                readonly id?: number;
                readonly user_id?: number;
                readonly name?: string;
                readonly scopes?: readonly string[];
                readonly expires_at?: string | null;
                readonly allowed_addresses?: readonly string[] | null;
                readonly allowed_origins?: readonly string[] | null;
                readonly rate_limit?: string | null;
                readonly prefix?: string;
                readonly last_used_at?: string | null;
                readonly created_at?: string;
                readonly updated_at?: string;
                readonly revoked_at?: string | null;
            }[];
            /** @description The cart of the user, as a list of one. */
            readonly carts: readonly {
                readonly user_id?: number;
                readonly item_count?: number;
                readonly subtotal?: number;
                readonly discount_code?: string | null;
                readonly items?: readonly {
                    readonly id?: number;
                    readonly product_id?: number;
                    readonly name?: string;
                    readonly options?: components["schemas"]["Options"] | null;
                    readonly unit_price?: number;
                    readonly quantity?: number;
                    readonly line_total?: number;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description The saved addresses of the user. */
            readonly addresses: readonly {
                readonly id?: number;
                readonly user_id?: number;
                readonly recipient?: string;
                readonly line1?: string;
                readonly line2?: string | null;
                readonly city?: string;
                readonly region?: string | null;
                readonly postal_code?: string | null;
                readonly country?: string;
                readonly company?: string | null;
                readonly vat_id?: string | null;
                readonly phone?: string | null;
                readonly is_default?: boolean;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description The reviews that the user wrote. */
            readonly reviews: readonly {
                readonly id?: number;
                readonly product_id?: number;
                readonly user_id?: number | null;
                readonly author?: string | null;
                readonly rating?: number;
                readonly title?: string | null;
                readonly body?: string | null;
                readonly verified_purchase?: boolean;
                readonly status?: string;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description Orders with their items, shipping, payments, parcels, returns and refunds. */
            readonly orders: readonly {
                readonly id?: number;
                readonly number?: string;
                readonly source?: string;
                readonly user_id?: number | null;
                readonly status?: string;
                readonly cancel_reason?: string | null;
                readonly currency?: string;
                readonly item_count?: number;
                readonly subtotal?: number;
                readonly shipping_cost?: number;
                readonly tax?: number;
                readonly total?: number;
                readonly refunded_total?: number;
                readonly discount?: components["schemas"]["AppliedDiscount"] | null;
                readonly discount_total?: number;
                readonly tax_included?: boolean;
                readonly contact?: {
                    readonly name?: string | null;
                    readonly email?: string | null;
                };
                readonly note?: string | null;
                readonly external_id?: string | null;
                readonly expires_at?: string | null;
                readonly created_at?: string;
                readonly updated_at?: string;
                readonly network?: string | null;
                readonly deleted_at?: string | null;
                readonly items?: readonly {
                    readonly id?: number;
                    readonly product_id?: number | null;
                    readonly name?: string;
                    readonly sku?: string | null;
                    readonly options?: components["schemas"]["Options"] | null;
                    readonly unit_price?: number;
                    readonly quantity?: number;
                    readonly shipped_quantity?: number;
                    readonly line_total?: number;
                    readonly discount?: number;
                    readonly tax_rate?: string;
                    readonly tax?: number;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
                readonly shipping?: {
                    readonly order_id?: number;
                    readonly method?: string;
                    readonly recipient?: string | null;
                    readonly company?: string | null;
                    readonly vat_id?: string | null;
                    readonly phone?: string | null;
                    readonly address?: components["schemas"]["PostalAddress"];
                    readonly status?: string;
                    readonly carrier?: string | null;
                    readonly tracking_number?: string | null;
                    readonly tracking_url?: string | null;
                    readonly shipped_at?: string | null;
                    readonly delivered_at?: string | null;
                    readonly cost?: number;
                    readonly tax_rate?: string;
                    readonly tax?: number;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                };
                readonly payments?: readonly {
                    readonly id?: number;
                    readonly order_id?: number;
                    readonly method?: string;
                    readonly amount?: number;
                    readonly currency?: string;
                    readonly status?: string;
                    readonly refunded_total?: number;
                    readonly provider?: string;
                    readonly provider_reference?: string | null;
                    readonly failure?: string | null;
                    readonly next_action?: components["schemas"]["NextAction"] | null;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
                readonly parcels?: readonly {
                    readonly id?: number;
                    readonly order_id?: number;
                    readonly items?: readonly components["schemas"]["ParcelItem"][];
                    readonly status?: string;
                    readonly carrier?: string | null;
                    readonly tracking_number?: string | null;
                    readonly tracking_url?: string | null;
                    readonly delivered_at?: string | null;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
                readonly returns?: readonly {
                    readonly id?: number;
                    readonly order_id?: number;
                    readonly kind?: string;
                    readonly items?: readonly components["schemas"]["ReturnItem"][];
                    readonly status?: string;
                    readonly restock?: boolean;
                    readonly declared_by?: string | null;
                    readonly reason?: string | null;
                    readonly reply?: string | null;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
                readonly refunds?: readonly {
                    readonly id?: number;
                    readonly order_id?: number;
                    readonly payment_id?: number;
                    readonly amount?: number;
                    readonly currency?: string;
                    readonly items?: readonly components["schemas"]["RefundItem"][];
                    readonly shipping?: boolean;
                    readonly restock?: boolean;
                    readonly status?: string;
                    readonly reason?: string | null;
                    readonly failure?: string | null;
                    readonly created_at?: string;
                    readonly updated_at?: string;
                }[];
            }[];
            /** @description The purchases of the user. */
            readonly purchases: readonly {
                readonly id?: number;
                readonly user_id?: number | null;
                readonly product_id?: number;
                readonly order_id?: number;
                readonly quantity?: number;
                readonly unit_price?: number;
                readonly purchased_at?: string;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description The applications that act as the user with their own credentials. */
            readonly oauth_clients: readonly {
                readonly id?: number;
                readonly client_id?: string;
                readonly client_id_issued_at?: number;
                readonly client_name?: string;
                readonly application_type?: string;
                readonly redirect_uris?: readonly string[];
                readonly post_logout_redirect_uris?: readonly string[];
                readonly grant_types?: readonly string[];
                readonly response_types?: readonly string[];
                readonly token_endpoint_auth_method?: string;
                readonly scope?: string;
                readonly client_uri?: string | null;
                readonly policy_uri?: string | null;
                readonly tos_uri?: string | null;
                readonly contacts?: readonly string[];
                readonly user_id?: number | null;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description What the user allowed applications to do; a withdrawn consent has no scopes. */
            readonly oauth_consents: readonly {
                readonly id?: number;
                readonly user_id?: number;
                readonly client?: {
                    readonly client_id?: string;
                    readonly name?: string;
                };
                readonly scopes?: readonly string[];
                readonly expires_at?: string;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description Operations on the account and its credentials, and operations by the user on others. */
            readonly audit_events: readonly {
                readonly id?: number;
                readonly action?: string;
                readonly actor_id?: number | null;
                readonly subject_id?: number | null;
                readonly address?: string | null;
                readonly credential?: string | null;
                readonly request_id?: string | null;
                readonly details?: {
                    readonly from?: string;
                    readonly to?: string;
                    readonly id?: number;
                    readonly oauth_client?: number;
                    readonly webhook?: number;
                    readonly client_id?: string;
                    readonly scope?: string;
                } | null;
                readonly at?: string;
                readonly created_at?: string;
            }[];
            /** @description Where events about the user were sent, with the responses. */
            readonly deliveries: readonly {
                readonly id?: number;
                readonly webhook_id?: number;
                readonly event_id?: string;
                readonly status?: string;
                readonly attempts?: readonly {
                    readonly at?: string;
                    readonly status?: number | null;
                    readonly duration_ms?: number;
                    readonly error?: string | null;
                    readonly response?: string | null;
                }[];
                readonly next_attempt_at?: string | null;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description Events about the user, with the state of the resource after each. */
            readonly events: readonly {
                readonly id?: string;
                readonly type?: string;
                readonly subject?: string;
                readonly time?: string;
                readonly data?: Record<string, never>;
            }[];
            /** @description The mails to the user. */
            readonly mails: readonly {
                readonly kind?: string;
                readonly order_id?: number | null;
                readonly status?: string;
                readonly sent_at?: string | null;
                readonly created_at?: string;
            }[];
            /** @description The imports that the user began. */
            readonly operations: readonly {
                readonly id?: number;
                readonly kind?: string;
                readonly resource?: string;
                readonly dry_run?: boolean;
                readonly status?: string;
                readonly progress?: {
                    readonly done?: number;
                    readonly total?: number | null;
                    readonly failed?: number;
                    readonly images?: {
                        readonly done?: number;
                        readonly total?: number;
                        readonly failed?: number;
                    };
                };
                readonly outcome?: string | null;
                readonly result?: {
                    readonly created?: number;
                    readonly updated?: number;
                    readonly unchanged?: number;
                    readonly overwritten?: number;
                    readonly made_skus?: number;
                    readonly detected?: {
                        readonly format?: string;
                        readonly separator?: string | null;
                        readonly encoding?: string;
                        readonly decimal?: string | null;
                    };
                    readonly mapping?: Record<string, never>;
                    readonly ignored_columns?: readonly {
                        readonly name?: string;
                        readonly values?: number;
                    }[];
                    readonly warnings?: readonly {
                        readonly row?: number;
                        readonly field?: string;
                        readonly value?: string | null;
                        readonly message?: string;
                    }[];
                    readonly repeated_keys?: readonly {
                        readonly key?: string;
                        readonly count?: number;
                        readonly rows?: readonly number[];
                    }[];
                    readonly preview?: readonly {
                        readonly row?: number;
                        readonly key?: string | null;
                        readonly outcome?: string;
                        readonly fields?: Record<string, never>;
                    }[];
                } | null;
                readonly failure?: string | null;
                readonly finished_at?: string | null;
                readonly created_at?: string;
                readonly updated_at?: string;
            }[];
            /** @description The request of the user to be erased. */
            readonly erasures: readonly {
                readonly erase_at?: string;
                readonly reason?: string | null;
                readonly created_at?: string;
            }[];
            /** @description The lists that were cut to their newest entries: at most 2000, or 1 MB. */
            readonly incomplete: readonly string[];
        };
        /** @description A related resource, to be read with GET; in XML, a `<link rel="…">` with its name. */
        readonly Link: {
            /**
             * @description The path and query of the target, or its URL if it is outside of this API.
             * @example /products/42
             */
            readonly href: string;
        };
        /** @description An operation that the caller may perform now; in XML, like a `Link`. */
        readonly Action: {
            /**
             * @description The path and query of the target, or its URL if it is outside of this API.
             * @example /products/42
             */
            readonly href: string;
            /**
             * @description The method of the request.
             * @enum {string}
             */
            readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
        };
        /** @description An `Action` with a body. */
        readonly FilledAction: {
            /**
             * @description The path and query of the target, or its URL if it is outside of this API.
             * @example /products/42
             */
            readonly href: string;
            /**
             * @description The method of the request.
             * @enum {string}
             */
            readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description An example body, filled in as far as it is known. */
            readonly body: {
                readonly [key: string]: unknown;
            };
        };
        /** @description The number of this page, of all pages and of all entries. */
        readonly Pagination: {
            /**
             * @description The number of this page.
             * @example 1
             */
            readonly current_page: number;
            /**
             * @description The number of pages.
             * @example 3
             */
            readonly total_pages: number;
            /**
             * @description The number of entries on all pages; at least so many with total_items_capped.
             * @example 42
             */
            readonly total_items: number;
            /**
             * @description True where the list has more than 10000 entries and they were not counted; else absent.
             * @example true
             */
            readonly total_items_capped?: boolean;
            /**
             * @description The maximum number of entries per page.
             * @example 20
             */
            readonly limit: number;
            /**
             * @description The cursor of the next page; null on the last page.
             * @example WyJpZCIsImFzYyIsMiwyMCwyMF0
             */
            readonly next_cursor: string | null;
        };
        /** @description The position in the feed. */
        readonly FeedPagination: {
            /**
             * @description The maximum number of entries per page.
             * @example 100
             */
            readonly limit: number;
            /**
             * @description The cursor of the entries after this page. At the end of the feed, request it again later.
             * @example WzQyLCJsOWZHWTBVOSJd
             */
            readonly next_cursor: string;
        };
        readonly FieldError: {
            /**
             * @description The path of the field, or the name of the parameter.
             * @example items[0].quantity
             */
            readonly field: string;
            /**
             * @description The error.
             * @example is required
             */
            readonly message: string;
        };
        /** @description An error. */
        readonly Error: {
            readonly error_code: components["schemas"]["ErrorCode"];
            /**
             * @description The kind of error; the same for every error with this code.
             * @example The resource does not exist.
             */
            readonly message: string;
            /**
             * @description The cause of this error.
             * @example No product has this identifier.
             */
            readonly details: string;
            /**
             * Format: date-time
             * @description When the request arrived.
             */
            readonly timestamp: string;
            /**
             * @description Identifies the request in the logs; the X-Request-Id of the response.
             * @example b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e
             */
            readonly request_id: string;
            /**
             * @description The path of the request.
             * @example /products/42
             */
            readonly path: string;
            /**
             * @description How to fix it.
             * @example Follow a link from an existing resource.
             */
            readonly suggestion: string;
            /** @description The invalid fields or parameters. */
            readonly errors?: readonly components["schemas"]["FieldError"][];
        };
        /** @description An error in the simple shape. */
        readonly SimpleError: {
            /** @description The kind of error. */
            readonly error: components["schemas"]["ErrorLabel"];
            /** @description The invalid fields; one entry with an empty field for any other error. */
            readonly details: readonly components["schemas"]["FieldError"][];
        };
        /** @description An error (RFC 9457). */
        readonly ProblemDetails: {
            /**
             * Format: uri-reference
             * @description The documentation of the code.
             * @example http://localhost:3000/problems/4041
             */
            readonly type: string;
            /**
             * @description The kind of error; the same for every error with this code.
             * @example The resource does not exist.
             */
            readonly title: string;
            /**
             * @description The HTTP status.
             * @example 404
             */
            readonly status: number;
            /**
             * @description The cause of this error.
             * @example No product has this identifier.
             */
            readonly detail: string;
            /**
             * @description The path of the request.
             * @example /products/42
             */
            readonly instance: string;
            readonly error_code: components["schemas"]["ErrorCode"];
            /**
             * Format: date-time
             * @description When the request arrived.
             */
            readonly timestamp: string;
            /**
             * @description Identifies the request in the logs; the X-Request-Id of the response.
             * @example b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e
             */
            readonly request_id: string;
            /**
             * @description How to fix it.
             * @example Follow a link from an existing resource.
             */
            readonly suggestion: string;
            /** @description The invalid fields or parameters. */
            readonly errors?: readonly components["schemas"]["FieldError"][];
        };
        readonly NewVariantList: readonly components["schemas"]["NewVariant"][];
        readonly ProductList: {
            readonly data: readonly components["schemas"]["Product"][];
        };
    };
    responses: {
        /** @description Not modified; with the header fields of 200. */
        readonly NotModified: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `4001` A required value is missing or malformed.
         *
         *     `4003` A query parameter is invalid.
         *
         *     `4004` The request names two API versions.
         */
        readonly BadQuery: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description Any other problem, see `GET /problems`: `4011` `4012` `4013` `4031` `4032` `4033` `4061` `4101` `4121` `4141` `4291` `5001` `5031` */
        readonly ReadError: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description `4041` The resource does not exist. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description Any other problem, see `GET /problems`: `4061` `4121` `4141` `4291` `5001` `5031` */
        readonly OpenReadError: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /**
         * @description `4031` You are not allowed to do this.
         *
         *     `4032` This account is suspended.
         *
         *     `4033` The credential lacks a required scope.
         */
        readonly Forbidden: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description A page of products; all as `text/csv`, XLSX or `application/x-ndjson`. */
        readonly ProductPage: {
            headers: {
                readonly Link: components["headers"]["Link"];
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ProductPage"];
                readonly "application/xml": components["schemas"]["ProductPage"];
            };
        };
        /**
         * @description `4001` A required value is missing or malformed.
         *
         *     `4002` The body cannot be read.
         *
         *     `4003` A query parameter is invalid.
         *
         *     `4004` The request names two API versions.
         */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description Any other problem, see `GET /problems`: `4011` `4012` `4013` `4031` `4032` `4033` `4061` `4101` `4131` `4141` `4151` `4152` `4291` `5001` `5031` */
        readonly WriteError: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /**
         * @description `4091` The state of the resource does not allow this.
         *
         *     `4092` This already exists.
         *
         *     `4094` The same request is still being processed.
         */
        readonly ConflictOrDuplicate: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /**
         * @description `4221` Some values are invalid.
         *
         *     `4222` The Idempotency-Key was used for a different request.
         */
        readonly Invalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description `4101` The resource was permanently removed. */
        readonly Gone: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description The product. */
        readonly ProductOK: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Product"];
                readonly "application/xml": components["schemas"]["Product"];
            };
        };
        /** @description Done; the client preferred no body. */
        readonly DatedNoContent: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `4121` The resource has changed since you read it. */
        readonly PreconditionFailed: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description Removed. */
        readonly Removed: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `4091` The state of the resource does not allow this.
         *
         *     `4094` The same request is still being processed.
         */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description The image. */
        readonly Image: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Image"];
                readonly "application/xml": components["schemas"]["Image"];
            };
        };
        /** @description The category. */
        readonly Category: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Category"];
                readonly "application/xml": components["schemas"]["Category"];
            };
        };
        /** @description Done; the client preferred no body. */
        readonly NoContent: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The review. */
        readonly Review: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Review"];
                readonly "application/xml": components["schemas"]["Review"];
            };
        };
        /** @description The user. */
        readonly UserOK: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["User"];
                readonly "application/xml": components["schemas"]["User"];
            };
        };
        /** @description Any other problem, see `GET /problems`: `4061` `4131` `4141` `4151` `4152` `4291` `5001` `5031` */
        readonly OpenWriteError: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description Done. */
        readonly DatedDone: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The address. */
        readonly Address: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Address"];
                readonly "application/xml": components["schemas"]["Address"];
            };
        };
        /** @description The cart. */
        readonly Cart: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Cart"];
                readonly "application/xml": components["schemas"]["Cart"];
            };
        };
        /** @description The new cart item. */
        readonly CartItemCreated: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["CartItem"];
                readonly "application/xml": components["schemas"]["CartItem"];
            };
        };
        /** @description The cart item. */
        readonly CartItem: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["CartItem"];
                readonly "application/xml": components["schemas"]["CartItem"];
            };
        };
        /** @description Done; the client preferred no body. */
        readonly LocatedDatedNoContent: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `4091` The state of the resource does not allow this.
         *
         *     `4093` There is not enough stock.
         *
         *     `4094` The same request is still being processed.
         */
        readonly ConflictOrOutOfStock: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description The cart item. */
        readonly CartItemOK: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["CartItem"];
                readonly "application/xml": components["schemas"]["CartItem"];
            };
        };
        /** @description A page of orders; all as `text/csv`, XLSX or `application/x-ndjson`. */
        readonly OrderPage: {
            headers: {
                readonly Link: components["headers"]["Link"];
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OrderPage"];
                readonly "application/xml": components["schemas"]["OrderPage"];
            };
        };
        /** @description The new order. */
        readonly OrderCreated: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Order"];
                readonly "application/xml": components["schemas"]["Order"];
            };
        };
        /** @description The order. */
        readonly Order: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Order"];
                readonly "application/xml": components["schemas"]["Order"];
            };
        };
        /** @description `5021` The payment provider sent an invalid response. */
        readonly BadUpstreamAnswer: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description `5041` The payment provider did not respond in time. */
        readonly UpstreamTimeout: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
                readonly "application/xml": components["schemas"]["Error"];
                readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
            };
        };
        /** @description The shipping. */
        readonly OrderShipping: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OrderShipping"];
                readonly "application/xml": components["schemas"]["OrderShipping"];
            };
        };
        /** @description The parcel. */
        readonly Parcel: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Parcel"];
                readonly "application/xml": components["schemas"]["Parcel"];
            };
        };
        /** @description The return. */
        readonly Return: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Return"];
                readonly "application/xml": components["schemas"]["Return"];
            };
        };
        /** @description The new api key. */
        readonly ApiKeyCreated: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ApiKey"];
                readonly "application/xml": components["schemas"]["ApiKey"];
            };
        };
        /** @description The api key. */
        readonly ApiKey: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ApiKey"];
                readonly "application/xml": components["schemas"]["ApiKey"];
            };
        };
        /** @description The new oauth client. */
        readonly OauthClientCreated: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OauthClient"];
                readonly "application/xml": components["schemas"]["OauthClient"];
            };
        };
        /** @description The oauth client. */
        readonly OauthClient: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OauthClient"];
                readonly "application/xml": components["schemas"]["OauthClient"];
            };
        };
        /** @description The shipping method. */
        readonly ShippingMethod: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ShippingMethod"];
                readonly "application/xml": components["schemas"]["ShippingMethod"];
            };
        };
        /** @description The tax rate. */
        readonly TaxRate: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["TaxRate"];
                readonly "application/xml": components["schemas"]["TaxRate"];
            };
        };
        /** @description The discount. */
        readonly Discount: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Discount"];
                readonly "application/xml": components["schemas"]["Discount"];
            };
        };
        /** @description The new webhook. */
        readonly WebhookCreated: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Webhook"];
                readonly "application/xml": components["schemas"]["Webhook"];
            };
        };
        /** @description The webhook. */
        readonly Webhook: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Webhook"];
                readonly "application/xml": components["schemas"]["Webhook"];
            };
        };
        /** @description The delivery, whose processing continues. */
        readonly WebhookDeliveryAccepted: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["WebhookDelivery"];
                readonly "application/xml": components["schemas"]["WebhookDelivery"];
            };
        };
    };
    parameters: {
        /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
        readonly "Accept-Language": string;
        /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
        readonly Page: number;
        /** @description The number of entries per page. */
        readonly Limit: number;
        /** @description Ascending or descending. */
        readonly Order: "asc" | "desc";
        /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
        readonly Cursor: string;
        /** @description Only entries created at this time or later. */
        readonly CreatedSince: string;
        /** @description Only entries created before this time. */
        readonly CreatedBefore: string;
        /** @description Only entries last changed at this time or later. */
        readonly UpdatedSince: string;
        /** @description Only entries last changed before this time. */
        readonly UpdatedBefore: string;
        /** @description Related resources to embed. */
        readonly ProductInclude: readonly ("reviews" | "related")[];
        /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
        readonly "Idempotency-Key": string;
        /** @description Identifies the product. */
        readonly ProductId: components["schemas"]["Id"];
        /**
         * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
         * @example *
         */
        readonly "If-Match": string;
        /** @description The SHA-256 or SHA-512 digest of the body; 400 unless the body has it (RFC 9530 2). */
        readonly "Content-Digest": string;
        /** @description Identifies the user. */
        readonly UserId: components["schemas"]["Id"];
        /** @description Sort field; ties by id. */
        readonly Sort: "id" | "created_at" | "updated_at";
        /** @description Only orders with this status. Several values mean any of them. */
        readonly OrderStatus: readonly ("pending" | "paid" | "shipped" | "delivered" | "cancelled" | "refunded")[];
        /** @description Only the order with this number, ignoring case. */
        readonly OrderNumber: string;
        /** @description Sort field; ties by id. */
        readonly OrderSort: "id" | "total" | "status" | "created_at" | "updated_at";
        /** @description Related resources to embed. */
        readonly OrderInclude: readonly ("items" | "shipping" | "parcels" | "payments" | "details")[];
        /** @description Identifies the order. */
        readonly OrderId: components["schemas"]["Id"];
        /** @description Identifies the api key. */
        readonly ApiKeyId: components["schemas"]["Id"];
        /** @description Identifies the oauth client. */
        readonly OauthClientId: components["schemas"]["Id"];
        /** @description Identifies the webhook. */
        readonly WebhookId: components["schemas"]["Id"];
        /** @description Identifies the delivery. */
        readonly DeliveryId: components["schemas"]["Id"];
        /** @description With `wait=N`, the response is sent once the operation has ended, or after N seconds (at most 30); with `return=minimal`, it has no body (RFC 7240). */
        readonly Prefer: string;
        /** @description Identifies the operation. */
        readonly OperationId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /** @description Identifies this representation of the current state of the resource (RFC 9110 8.8.3). */
        readonly ETag: string;
        /** @description When the resource last changed, in whole seconds (RFC 9110 8.8.2). */
        readonly "Last-Modified": string;
        /** @description One challenge per accepted authentication scheme (RFC 9110 11.6.1). For a rejected bearer token, or one without the scope, with the error code of RFC 6750 3.1. */
        readonly "WWW-Authenticate": string;
        /** @description The seconds to wait before a retry (RFC 9110 10.2.3). */
        readonly "Retry-After": number;
        /** @description Until when the response is fresh (RFC 9111 5.3). */
        readonly Expires: string;
        /** @description The language of the texts in the body (RFC 9110 8.5). */
        readonly "Content-Language": string;
        /** @description The first, previous, next and last page, and the changes after a deprecated API version (RFC 8288). */
        readonly Link: string;
        /** @description The URL of the resource (RFC 9110 10.2.2). */
        readonly Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getEntry: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The entry. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    /** @description Identifies the request in responses and logs; generated unless the client sends one. */
                    readonly "X-Request-Id"?: string;
                    /** @description The content coding of the body (RFC 9110 8.4); each has its own ETag. */
                    readonly "Content-Encoding"?: string;
                    /** @description The request header fields that the response depends on (RFC 9110 12.5.5). */
                    readonly Vary?: string;
                    /** @description The API version of the response. */
                    readonly "API-Version"?: string;
                    /** @description The remaining requests (r) and the seconds until the limit resets (t), by policy (draft-ietf-httpapi-ratelimit-headers-11). `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (seconds since 1970 UTC) say the same. */
                    readonly RateLimit?: string;
                    /** @description The requests (q) allowed in a window of seconds (w), by policy (draft-ietf-httpapi-ratelimit-headers-11). */
                    readonly "RateLimit-Policy"?: string;
                    /** @description Which caches may store the response, and for how long (RFC 9111 5.2). */
                    readonly "Cache-Control"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Entry"];
                    readonly "application/xml": components["schemas"]["Entry"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getProblems: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The problems. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problems"];
                    readonly "application/xml": components["schemas"]["Problems"];
                    readonly "text/html": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getProblem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            readonly path: {
                /** @description Identifies the problem. */
                readonly code: 4001 | 4002 | 4003 | 4004 | 4011 | 4012 | 4013 | 4031 | 4032 | 4033 | 4041 | 4042 | 4051 | 4061 | 4081 | 4091 | 4092 | 4093 | 4094 | 4101 | 4121 | 4131 | 4141 | 4151 | 4152 | 4221 | 4222 | 4223 | 4281 | 4291 | 4311 | 5001 | 5021 | 5031 | 5041;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The problem. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                    readonly "application/xml": components["schemas"]["Problem"];
                    readonly "text/html": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getOpenApiDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The OpenAPI 3.1 document of the API. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, never>;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getReference: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The interactive reference of the API. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getTasks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The commonest tasks, with curl and in TypeScript. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getReferenceScript: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The script of the interactive reference. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/javascript": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getVersionChanges: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The differences between the versions of the API. */
            readonly 200: {
                headers: {
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getApiCatalog: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A link set (RFC 9264) in the profile of API catalogs (RFC 9727). */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly Expires: components["headers"]["Expires"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/linkset+json": Record<string, never>;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly checkLiveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Liveness of the process. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, never>;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly checkReadiness: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to return details, for administrators: `verbose` or `verbose=true`. */
                readonly verbose?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Readiness of the process to serve requests. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, never>;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Metrics for Prometheus. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly listProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description Only products in the category with this name or handle, or in one below it. Several values mean any of them. */
                readonly category?: readonly string[];
                /** @description Only products of this brand, or with a variant of it. Several values mean any of them. */
                readonly brand?: readonly string[];
                /** @description Only products with this tag, or with a variant that has it. Several values mean any of them. */
                readonly tag?: readonly string[];
                /** @description Only products with this availability. Several values mean any of them. */
                readonly availability?: readonly ("in_stock" | "out_of_stock" | "preorder" | "discontinued" | "backorder")[];
                /** @description Only products with this status, for administrators with the scope products:write; others see the active ones. A variant has that of its parent, too. Several values mean any of them. */
                readonly status?: readonly ("active" | "draft" | "archived")[];
                /** @description Only products that this user has bought. */
                readonly buyer?: number;
                /** @description Only products with exactly this name. */
                readonly name?: string;
                /** @description Only the product with this SKU. */
                readonly sku?: string;
                /** @description Only the product with this ID of another system. */
                readonly external_id?: string;
                /** @description Only the product that has this handle, or had it before. */
                readonly handle?: string;
                /** @description Only products with at least this price. */
                readonly price_min?: number;
                /** @description Only products with at most this price. */
                readonly price_max?: number;
                /** @description Only products with all these words, or their beginnings, in name, brand, tags, SKU, GTIN, options, category or description. */
                readonly q?: string;
                /** @description Lists every variant beside its parent. */
                readonly variants?: "all";
                /** @description Adds the values of category, availability, price, rating, an option as option.size or an attribute as attribute.material, with the number of products that match all filters but its own; not with a cursor. Several values mean any of them. */
                readonly facets?: readonly string[];
                /** @description Only products with this value of an option, such as `option.size=M`, whose name and value may be written in any case; of a product with variants, one of them has it. Several values mean any of them. */
                readonly option?: {
                    readonly [key: string]: readonly string[];
                };
                /** @description Only products with this value of an attribute, such as `attribute.material=steel`, whose name and value may be written in any case; of a product with variants, one of them may have it. Several values mean any of them. */
                readonly attribute?: {
                    readonly [key: string]: readonly string[];
                };
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. With q, relevance is the default: the closest first. */
                readonly sort?: "id" | "name" | "price" | "rating" | "relevance" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["ProductInclude"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ProductPage"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProductBody"];
                readonly "application/xml": components["schemas"]["ProductBody"];
            };
        };
        readonly responses: {
            /** @description The new product. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Product"];
                    readonly "application/xml": components["schemas"]["Product"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getProduct: {
        readonly parameters: {
            readonly query?: {
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["ProductInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The product. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Product"];
                    readonly "application/xml": components["schemas"]["Product"];
                    readonly "application/ld+json": Record<string, never>;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProductBody"];
                readonly "application/xml": components["schemas"]["ProductBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ProductOK"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ProductPatch"];
                readonly "application/json": components["schemas"]["ProductPatch"];
                readonly "application/xml": components["schemas"]["ProductPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ProductOK"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listRelatedProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "relevance" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["ProductInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ProductPage"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listVariants: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "name" | "price" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["ProductInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ProductPage"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createVariant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewVariant"] | components["schemas"]["NewVariantList"];
                readonly "application/xml": components["schemas"]["NewVariant"] | components["schemas"]["NewVariantList"];
            };
        };
        readonly responses: {
            /** @description The new product, or all as `data`. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Product"] | components["schemas"]["ProductList"];
                    readonly "application/xml": components["schemas"]["Product"] | components["schemas"]["ProductList"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listImages: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "position" | "id" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of images; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImagePage"];
                    readonly "application/xml": components["schemas"]["ImagePage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The SHA-256 or SHA-512 digest of the body; 400 unless the body has it (RFC 9530 2). */
                readonly "Content-Digest"?: components["parameters"]["Content-Digest"];
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image.
                     */
                    readonly file: string;
                    /** @description What the image shows. */
                    readonly alt?: string;
                };
                readonly "image/jpeg": string;
                readonly "image/png": string;
                readonly "image/webp": string;
                readonly "image/avif": string;
            };
        };
        readonly responses: {
            /** @description The new image. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Image"];
                    readonly "application/xml": components["schemas"]["Image"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the image. */
                readonly imageId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly deleteImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the image. */
                readonly imageId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the image. */
                readonly imageId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ImagePatch"];
                readonly "application/json": components["schemas"]["ImagePatch"];
                readonly "application/xml": components["schemas"]["ImagePatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getImageFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The file name. */
                readonly fileName: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An image in a width, as its `urls` name it. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/webp": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly listCategories: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those right below this one. */
                readonly parent_id?: number;
                /** @description Only those at the root, or with `false` only others. */
                readonly is_root?: boolean;
                /** @description Only the category with this handle. */
                readonly handle?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "name" | "product_count" | "position" | "id" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of categories; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CategoryPage"];
                    readonly "application/xml": components["schemas"]["CategoryPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CategoryBody"];
                readonly "application/xml": components["schemas"]["CategoryBody"];
            };
        };
        readonly responses: {
            /** @description The new category. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Category"];
                    readonly "application/xml": components["schemas"]["Category"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the category. */
                readonly categoryId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Category"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the category. */
                readonly categoryId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CategoryBody"];
                readonly "application/xml": components["schemas"]["CategoryBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Category"];
            readonly 204: components["responses"]["NoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the category. */
                readonly categoryId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the category. */
                readonly categoryId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["CategoryPatch"];
                readonly "application/json": components["schemas"]["CategoryPatch"];
                readonly "application/xml": components["schemas"]["CategoryPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Category"];
            readonly 204: components["responses"]["NoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listPrices: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "newest";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of prices; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PricePage"];
                    readonly "application/xml": components["schemas"]["PricePage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getGoogleMerchantFeed: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All products and variants as RSS 2.0 with the attributes of Google Merchant Center. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/rss+xml": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getSitemap: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pages of all products, or an index of sitemaps of 50,000 each (sitemaps.org). */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly getSitemapPart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The part. */
                readonly part: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A sitemap of the index. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly listReviews: {
        readonly parameters: {
            readonly query?: {
                /** @description From 1 (bad) to 5 (good). */
                readonly rating?: number;
                /** @description Only reviews by this user. */
                readonly user_id?: number;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "rating" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of reviews; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReviewPage"];
                    readonly "application/xml": components["schemas"]["ReviewPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createReview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewReview"];
                readonly "application/xml": components["schemas"]["NewReview"];
            };
        };
        readonly responses: {
            /** @description The new review. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Review"];
                    readonly "application/xml": components["schemas"]["Review"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getReview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the review. */
                readonly reviewId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Review"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly deleteReview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the review. */
                readonly reviewId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateReview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the product. */
                readonly productId: components["parameters"]["ProductId"];
                /** @description Identifies the review. */
                readonly reviewId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ReviewPatch"];
                readonly "application/json": components["schemas"]["ReviewPatch"];
                readonly "application/xml": components["schemas"]["ReviewPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Review"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listUsers: {
        readonly parameters: {
            readonly query?: {
                /** @description Only users with this role. Several values mean any of them. */
                readonly role?: readonly ("customer" | "guest" | "admin")[];
                /** @description Only users with this status. Several values mean any of them. */
                readonly status?: readonly ("active" | "suspended")[];
                /** @description Only users with exactly this name. */
                readonly name?: string;
                /** @description Only the account with this email, ignoring case; guests have none. */
                readonly email?: string;
                /** @description Only users of this age. */
                readonly age?: number;
                /** @description Only the user with this ID of another system. */
                readonly external_id?: string;
                /** @description Only users with this telephone number, however its digits are grouped. */
                readonly phone?: string;
                /** @description Only users with words that begin with all these, in name, username or email, ignoring case and accents. */
                readonly q?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "name" | "email" | "age" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of users; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserPage"];
                    readonly "application/xml": components["schemas"]["UserPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly signUp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewUser"];
                readonly "application/xml": components["schemas"]["NewUser"];
            };
        };
        readonly responses: {
            /** @description The new user. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                    readonly "application/xml": components["schemas"]["User"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: {
                /** @description Related resources to embed. */
                readonly include?: readonly "data"[];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The user. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"] & {
                        readonly data?: components["schemas"]["UserData"];
                    };
                    readonly "application/xml": components["schemas"]["User"] & {
                        readonly data?: components["schemas"]["UserData"];
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserBody"];
                readonly "application/xml": components["schemas"]["UserBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["UserOK"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The user, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["UserPatch"];
                readonly "application/json": components["schemas"]["UserPatch"];
                readonly "application/xml": components["schemas"]["UserPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["UserOK"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly logIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewLogin"];
                readonly "application/xml": components["schemas"]["NewLogin"];
            };
        };
        readonly responses: {
            /** @description The login. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Login"];
                    readonly "application/xml": components["schemas"]["Login"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            /**
             * @description `4011` Credentials are required.
             *
             *     `4012` The credentials are invalid.
             *
             *     `4013` The credentials have expired.
             */
            readonly 401: {
                headers: {
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                    readonly "application/xml": components["schemas"]["Error"];
                    readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                    readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                    readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                    readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query?: {
                /** @description The user whose sessions are listed; another user only for administrators. */
                readonly user_id?: number;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of sessions; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionPage"];
                    readonly "application/xml": components["schemas"]["SessionPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the session. */
                readonly sessionId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The session. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Session"];
                    readonly "application/xml": components["schemas"]["Session"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the session. */
                readonly sessionId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly startAsGuest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewGuest"];
                readonly "application/xml": components["schemas"]["NewGuest"];
            };
        };
        readonly responses: {
            /** @description The new guest. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Guest"];
                    readonly "application/xml": components["schemas"]["Guest"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly requestPasswordReset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPasswordResetRequest"];
                readonly "application/xml": components["schemas"]["NewPasswordResetRequest"];
            };
        };
        readonly responses: {
            /** @description The password reset request, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasswordResetRequest"];
                    readonly "application/xml": components["schemas"]["PasswordResetRequest"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly getPasswordReset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the password reset. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The password reset. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasswordReset"];
                    readonly "application/xml": components["schemas"]["PasswordReset"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly resetPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the password reset. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordResetBody"];
                readonly "application/xml": components["schemas"]["PasswordResetBody"];
            };
        };
        readonly responses: {
            readonly 204: components["responses"]["DatedDone"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly requestEmailConfirmation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewEmailConfirmationRequest"];
                readonly "application/xml": components["schemas"]["NewEmailConfirmationRequest"];
            };
        };
        readonly responses: {
            /** @description The email confirmation request, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmailConfirmationRequest"];
                    readonly "application/xml": components["schemas"]["EmailConfirmationRequest"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getEmailConfirmation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the email confirmation. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The email confirmation. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmailConfirmation"];
                    readonly "application/xml": components["schemas"]["EmailConfirmation"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly confirmEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the email confirmation. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmailConfirmationBody"];
                readonly "application/xml": components["schemas"]["EmailConfirmationBody"];
            };
        };
        readonly responses: {
            readonly 204: components["responses"]["DatedDone"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly getEmailRejection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the email rejection. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The email rejection. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmailRejection"];
                    readonly "application/xml": components["schemas"]["EmailRejection"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly rejectEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the email rejection. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmailRejectionBody"];
                readonly "application/xml": components["schemas"]["EmailRejectionBody"];
            };
        };
        readonly responses: {
            readonly 204: components["responses"]["DatedDone"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly getAddressChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the address change. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The address change. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AddressChange"];
                    readonly "application/xml": components["schemas"]["AddressChange"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["OpenReadError"];
        };
    };
    readonly undoAddressChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the address change. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddressChangeBody"];
                readonly "application/xml": components["schemas"]["AddressChangeBody"];
            };
        };
        readonly responses: {
            readonly 204: components["responses"]["DatedDone"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly getProfile: {
        readonly parameters: {
            readonly query?: {
                /** @description Related resources to embed. */
                readonly include?: readonly "data"[];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The profile. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Profile"] & {
                        readonly data?: components["schemas"]["UserData"];
                    };
                    readonly "application/xml": components["schemas"]["Profile"] & {
                        readonly data?: components["schemas"]["UserData"];
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listAddresses: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of addresses; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AddressPage"];
                    readonly "application/xml": components["schemas"]["AddressPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddressBody"];
                readonly "application/xml": components["schemas"]["AddressBody"];
            };
        };
        readonly responses: {
            /** @description The new address. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Address"];
                    readonly "application/xml": components["schemas"]["Address"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the address. */
                readonly addressId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Address"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the address. */
                readonly addressId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddressBody"];
                readonly "application/xml": components["schemas"]["AddressBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Address"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the address. */
                readonly addressId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the address. */
                readonly addressId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["AddressPatch"];
                readonly "application/json": components["schemas"]["AddressPatch"];
                readonly "application/xml": components["schemas"]["AddressPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Address"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getErasure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The erasure. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                    readonly "application/xml": components["schemas"]["Erasure"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly requestErasure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewErasure"];
                readonly "application/xml": components["schemas"]["NewErasure"];
            };
        };
        readonly responses: {
            /** @description The erasure, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                    readonly "application/xml": components["schemas"]["Erasure"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly withdrawErasure: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Cart"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly emptyCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getOwnCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Cart"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly addToCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewCartItem"];
                readonly "application/xml": components["schemas"]["NewCartItem"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["CartItem"];
            readonly 201: components["responses"]["CartItemCreated"];
            readonly 204: components["responses"]["LocatedDatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly replaceCartDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CartBody"];
                readonly "application/xml": components["schemas"]["CartBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Cart"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteCartDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getCartStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The cart status. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CartStatus"];
                    readonly "application/xml": components["schemas"]["CartStatus"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listCartItems: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "quantity" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of cart items; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CartItemPage"];
                    readonly "application/xml": components["schemas"]["CartItemPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly addCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewCartItem"];
                readonly "application/xml": components["schemas"]["NewCartItem"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["CartItem"];
            readonly 201: components["responses"]["CartItemCreated"];
            readonly 204: components["responses"]["LocatedDatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the cart item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["CartItemOK"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly removeCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the cart item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the cart item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["CartItemPatch"];
                readonly "application/json": components["schemas"]["CartItemPatch"];
                readonly "application/xml": components["schemas"]["CartItemPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["CartItemOK"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description Only orders with this status. Several values mean any of them. */
                readonly status?: components["parameters"]["OrderStatus"];
                /** @description Only orders of this user. Another user than the caller: administrators only. */
                readonly user_id?: number;
                /** @description Only the order with this number, ignoring case. */
                readonly number?: components["parameters"]["OrderNumber"];
                /** @description Only the order with this ID of another system. */
                readonly external_id?: string;
                /** @description Only orders that have words that begin with all these, in number, ID, contact name and email, recipient, tracking number or an SKU, ignoring case and accents. New orders and changes are found within two seconds. Administrators only. */
                readonly q?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["OrderSort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["OrderInclude"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["OrderPage"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly placeOwnOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOrder"];
                readonly "application/xml": components["schemas"]["NewOrder"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["OrderCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getOrder: {
        readonly parameters: {
            readonly query?: {
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["OrderInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Order"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly updateOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["OrderPatch"];
                readonly "application/json": components["schemas"]["OrderPatch"];
                readonly "application/xml": components["schemas"]["OrderPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Order"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly 502: components["responses"]["BadUpstreamAnswer"];
            readonly 504: components["responses"]["UpstreamTimeout"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listUserOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description Only orders with this status. Several values mean any of them. */
                readonly status?: components["parameters"]["OrderStatus"];
                /** @description Only the order with this number, ignoring case. */
                readonly number?: components["parameters"]["OrderNumber"];
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["OrderSort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["OrderInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["OrderPage"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly placeOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOrder"];
                readonly "application/xml": components["schemas"]["NewOrder"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["OrderCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getUserOrder: {
        readonly parameters: {
            readonly query?: {
                /** @description Related resources to embed. */
                readonly include?: components["parameters"]["OrderInclude"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Order"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceUserOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrderBody"];
                readonly "application/xml": components["schemas"]["OrderBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Order"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrOutOfStock"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteUserOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 502: components["responses"]["BadUpstreamAnswer"];
            readonly 504: components["responses"]["UpstreamTimeout"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateUserOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["OrderPatch"];
                readonly "application/json": components["schemas"]["OrderPatch"];
                readonly "application/xml": components["schemas"]["OrderPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Order"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly 502: components["responses"]["BadUpstreamAnswer"];
            readonly 504: components["responses"]["UpstreamTimeout"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOrderItems: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "name" | "quantity" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of items; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrderItemPage"];
                    readonly "application/xml": components["schemas"]["OrderItemPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getOrderItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the item. */
                readonly itemId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The item. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrderItem"];
                    readonly "application/xml": components["schemas"]["OrderItem"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getOrderShipping: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["OrderShipping"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceOrderShipping: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrderShippingBody"];
                readonly "application/xml": components["schemas"]["OrderShippingBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["OrderShipping"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateOrderShipping: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["OrderShippingBody"];
                readonly "application/json": components["schemas"]["OrderShippingBody"];
                readonly "application/xml": components["schemas"]["OrderShippingBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["OrderShipping"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOrderPayments: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of payments; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentPage"];
                    readonly "application/xml": components["schemas"]["PaymentPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly payOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the user. */
                readonly id: components["parameters"]["UserId"];
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPayment"];
                readonly "application/xml": components["schemas"]["NewPayment"];
            };
        };
        readonly responses: {
            /** @description The new payment. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Payment"];
                    readonly "application/xml": components["schemas"]["Payment"];
                };
            };
            /** @description The payment, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Payment"];
                    readonly "application/xml": components["schemas"]["Payment"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            /**
             * @description `4221` Some values are invalid.
             *
             *     `4222` The Idempotency-Key was used for a different request.
             *
             *     `4223` The payment was declined.
             */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                    readonly "application/xml": components["schemas"]["Error"];
                    readonly "application/problem+json": components["schemas"]["ProblemDetails"];
                    readonly "application/problem+xml": components["schemas"]["ProblemDetails"];
                    readonly "application/json; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                    readonly "application/xml; profile=\"simple-error\"": components["schemas"]["SimpleError"];
                };
            };
            readonly 502: components["responses"]["BadUpstreamAnswer"];
            readonly 504: components["responses"]["UpstreamTimeout"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getPayment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the payment. */
                readonly paymentId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The payment. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Payment"];
                    readonly "application/xml": components["schemas"]["Payment"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listOrderRefunds: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of refunds; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RefundPage"];
                    readonly "application/xml": components["schemas"]["RefundPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly refundOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewRefund"];
                readonly "application/xml": components["schemas"]["NewRefund"];
            };
        };
        readonly responses: {
            /** @description The new refund. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Refund"];
                    readonly "application/xml": components["schemas"]["Refund"];
                };
            };
            /** @description The refund, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Refund"];
                    readonly "application/xml": components["schemas"]["Refund"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getRefund: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the refund. */
                readonly refundId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The refund. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Refund"];
                    readonly "application/xml": components["schemas"]["Refund"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listOrderParcels: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of parcels; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ParcelPage"];
                    readonly "application/xml": components["schemas"]["ParcelPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly sendParcel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewParcel"];
                readonly "application/xml": components["schemas"]["NewParcel"];
            };
        };
        readonly responses: {
            /** @description The new parcel. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Parcel"];
                    readonly "application/xml": components["schemas"]["Parcel"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getParcel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the parcel. */
                readonly parcelId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Parcel"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly deleteParcel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the parcel. */
                readonly parcelId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateParcel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the parcel. */
                readonly parcelId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ParcelPatch"];
                readonly "application/json": components["schemas"]["ParcelPatch"];
                readonly "application/xml": components["schemas"]["ParcelPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Parcel"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOrderReturns: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of returns; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReturnPage"];
                    readonly "application/xml": components["schemas"]["ReturnPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly requestReturn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewReturn"];
                readonly "application/xml": components["schemas"]["NewReturn"];
            };
        };
        readonly responses: {
            /** @description The new return. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Return"];
                    readonly "application/xml": components["schemas"]["Return"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getReturn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the return. */
                readonly returnId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Return"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly updateReturn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the order. */
                readonly orderId: components["parameters"]["OrderId"];
                /** @description Identifies the return. */
                readonly returnId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ReturnPatch"];
                readonly "application/json": components["schemas"]["ReturnPatch"];
                readonly "application/xml": components["schemas"]["ReturnPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Return"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly withdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWithdrawal"];
                readonly "application/xml": components["schemas"]["NewWithdrawal"];
            };
        };
        readonly responses: {
            /** @description The withdrawal, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Withdrawal"];
                    readonly "application/xml": components["schemas"]["Withdrawal"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly listPurchases: {
        readonly parameters: {
            readonly query?: {
                /** @description Only purchases of this user; only administrators may name another user. */
                readonly user_id?: number;
                /** @description Only purchases of this product. */
                readonly product_id?: number;
                /** @description Only purchases of this order. */
                readonly order_id?: number;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "purchased_at" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of purchases; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PurchasePage"];
                    readonly "application/xml": components["schemas"]["PurchasePage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the purchase. */
                readonly purchaseId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Purchase"];
                    readonly "application/xml": components["schemas"]["Purchase"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description The user whose keys are listed; another user only for administrators. */
                readonly user_id?: number;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "name" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of api keys; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyPage"];
                    readonly "application/xml": components["schemas"]["ApiKeyPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewApiKey"];
                readonly "application/xml": components["schemas"]["NewApiKey"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["ApiKeyCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ApiKey"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly revokeApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ApiKeyPatch"];
                readonly "application/json": components["schemas"]["ApiKeyPatch"];
                readonly "application/xml": components["schemas"]["ApiKeyPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ApiKey"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly rotateApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the api key. */
                readonly keyId: components["parameters"]["ApiKeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewApiKeyRotations"];
                readonly "application/xml": components["schemas"]["NewApiKeyRotations"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["ApiKeyCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOauthClients: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the client with this client_id. */
                readonly client_id?: string;
                /** @description Only clients with exactly this name. */
                readonly client_name?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "client_name" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of oauth clients; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OauthClientPage"];
                    readonly "application/xml": components["schemas"]["OauthClientPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly registerOauthClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OauthClientBody"];
                readonly "application/xml": components["schemas"]["OauthClientBody"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["OauthClientCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getOauthClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["OauthClient"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceOauthClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OauthClientBody"];
                readonly "application/xml": components["schemas"]["OauthClientBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["OauthClient"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteOauthClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateOauthClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["OauthClientPatch"];
                readonly "application/json": components["schemas"]["OauthClientPatch"];
                readonly "application/xml": components["schemas"]["OauthClientPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["OauthClient"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly rotateOauthClientSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the oauth client. */
                readonly oauthClientId: components["parameters"]["OauthClientId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOauthClient"];
                readonly "application/xml": components["schemas"]["NewOauthClient"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["OauthClientCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOauthConsents: {
        readonly parameters: {
            readonly query?: {
                /** @description The user whose consents are listed; another user only for administrators. */
                readonly user_id?: number;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of oauth consents; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OauthConsentPage"];
                    readonly "application/xml": components["schemas"]["OauthConsentPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getOauthConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the oauth consent. */
                readonly consentId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The oauth consent. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OauthConsent"];
                    readonly "application/xml": components["schemas"]["OauthConsent"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly withdrawOauthConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the oauth consent. */
                readonly consentId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listShippingMethods: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the method with this code. */
                readonly code?: string;
                /** @description Only methods that deliver to this country. */
                readonly country?: components["schemas"]["CountryCode"];
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "code" | "name" | "price" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of shipping methods; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ShippingMethodPage"];
                    readonly "application/xml": components["schemas"]["ShippingMethodPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createShippingMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShippingMethodBody"];
                readonly "application/xml": components["schemas"]["ShippingMethodBody"];
            };
        };
        readonly responses: {
            /** @description The new shipping method. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ShippingMethod"];
                    readonly "application/xml": components["schemas"]["ShippingMethod"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getShippingMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the shipping method. */
                readonly shippingMethodId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ShippingMethod"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceShippingMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the shipping method. */
                readonly shippingMethodId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShippingMethodBody"];
                readonly "application/xml": components["schemas"]["ShippingMethodBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ShippingMethod"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteShippingMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the shipping method. */
                readonly shippingMethodId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateShippingMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the shipping method. */
                readonly shippingMethodId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["ShippingMethodPatch"];
                readonly "application/json": components["schemas"]["ShippingMethodPatch"];
                readonly "application/xml": components["schemas"]["ShippingMethodPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ShippingMethod"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listTaxRates: {
        readonly parameters: {
            readonly query?: {
                /** @description Only rates of this country. */
                readonly country?: components["schemas"]["CountryCode"];
                /** @description Only rates of this category. */
                readonly category?: string;
                /** @description Only rates of this tax class. */
                readonly tax_class?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "country" | "name" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of tax rates; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TaxRatePage"];
                    readonly "application/xml": components["schemas"]["TaxRatePage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TaxRateBody"];
                readonly "application/xml": components["schemas"]["TaxRateBody"];
            };
        };
        readonly responses: {
            /** @description The new tax rate. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TaxRate"];
                    readonly "application/xml": components["schemas"]["TaxRate"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the tax rate. */
                readonly taxRateId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["TaxRate"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the tax rate. */
                readonly taxRateId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TaxRateBody"];
                readonly "application/xml": components["schemas"]["TaxRateBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["TaxRate"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the tax rate. */
                readonly taxRateId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the tax rate. */
                readonly taxRateId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["TaxRatePatch"];
                readonly "application/json": components["schemas"]["TaxRatePatch"];
                readonly "application/xml": components["schemas"]["TaxRatePatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["TaxRate"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listDiscounts: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the discount with this code. */
                readonly code?: string;
                /** @description What the discount reduces: the price by a share or by an amount, or the shipping. */
                readonly kind?: "percent" | "amount" | "free_shipping";
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "code" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of discounts; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DiscountPage"];
                    readonly "application/xml": components["schemas"]["DiscountPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DiscountBody"];
                readonly "application/xml": components["schemas"]["DiscountBody"];
            };
        };
        readonly responses: {
            /** @description The new discount. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Discount"];
                    readonly "application/xml": components["schemas"]["Discount"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["ConflictOrDuplicate"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the discount. */
                readonly discountId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Discount"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly replaceDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the discount. */
                readonly discountId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DiscountBody"];
                readonly "application/xml": components["schemas"]["DiscountBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Discount"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly deleteDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the discount. */
                readonly discountId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateDiscount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the discount. */
                readonly discountId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["DiscountPatch"];
                readonly "application/json": components["schemas"]["DiscountPatch"];
                readonly "application/xml": components["schemas"]["DiscountPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Discount"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Only events of these types, separated by commas; `order.*` stands for all of orders. */
                readonly type?: readonly ("order.created" | "order.updated" | "order.paid" | "order.shipped" | "order.delivered" | "order.cancelled" | "order.refunded" | "order.deleted" | "parcel.created" | "parcel.updated" | "parcel.delivered" | "parcel.deleted" | "return.requested" | "return.approved" | "return.rejected" | "return.received" | "return.refunded" | "return.updated" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment.refunded" | "product.created" | "product.updated" | "product.deleted" | "product.out_of_stock" | "product.back_in_stock" | "category.created" | "category.updated" | "category.deleted" | "user.created" | "user.updated" | "user.deleted" | "user.erased" | "review.created" | "cart.abandoned" | "import.completed" | "webhook.disabled" | "order.*" | "parcel.*" | "return.*" | "payment.*" | "product.*" | "category.*" | "user.*" | "review.*" | "cart.*" | "import.*" | "webhook.*")[];
                /** @description Only events about the resource of this path. */
                readonly subject?: string;
                /** @description Only events of this time or later. */
                readonly since?: string;
                /** @description The number of entries per page. */
                readonly limit?: number;
                /** @description The next_cursor of the page before, which had the same filters. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description With `text/event-stream`: the ID of the last event received; the stream goes on after it (HTML section 9.2). */
                readonly "Last-Event-ID"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The events after the cursor, oldest first. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventFeed"];
                    readonly "application/xml": components["schemas"]["EventFeed"];
                    readonly "text/event-stream": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the event. */
                readonly eventId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Event"];
                    readonly "application/xml": components["schemas"]["Event"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of webhooks; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookPage"];
                    readonly "application/xml": components["schemas"]["WebhookPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWebhook"];
                readonly "application/xml": components["schemas"]["NewWebhook"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["WebhookCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly getWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Webhook"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["Gone"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["Removed"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/merge-patch+json": components["schemas"]["WebhookPatch"];
                readonly "application/json": components["schemas"]["WebhookPatch"];
                readonly "application/xml": components["schemas"]["WebhookPatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Webhook"];
            readonly 204: components["responses"]["DatedNoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 410: components["responses"]["Gone"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWebhookRotations"];
                readonly "application/xml": components["schemas"]["NewWebhookRotations"];
            };
        };
        readonly responses: {
            readonly 201: components["responses"]["WebhookCreated"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWebhookDelivery"];
                readonly "application/xml": components["schemas"]["NewWebhookDelivery"];
            };
        };
        readonly responses: {
            readonly 202: components["responses"]["WebhookDeliveryAccepted"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Only deliveries of this status. Several values mean any of them. */
                readonly status?: readonly ("pending" | "delivered" | "failed")[];
                /** @description Only the delivery of this event. */
                readonly event_id?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of deliveries; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDeliveryPage"];
                    readonly "application/xml": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getWebhookDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
                /** @description Identifies the delivery. */
                readonly deliveryId: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The delivery. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDelivery"];
                    readonly "application/xml": components["schemas"]["WebhookDelivery"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly retryWebhookDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Identifies the webhook. */
                readonly webhookId: components["parameters"]["WebhookId"];
                /** @description Identifies the delivery. */
                readonly deliveryId: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWebhookDelivery"];
                readonly "application/xml": components["schemas"]["NewWebhookDelivery"];
            };
        };
        readonly responses: {
            readonly 202: components["responses"]["WebhookDeliveryAccepted"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly startImport: {
        readonly parameters: {
            readonly query: {
                /** @description What the rows are: products, users, categories, the stock or the prices of products that exist, or the orders of another shop. */
                readonly resource: "products" | "users" | "stock" | "prices" | "categories" | "orders";
                /** @description Whose columns the file has. `auto`, the default, recognises it by the header. Those of other systems are for products, and `shopify` for users, too. */
                readonly format?: "auto" | "cartwright" | "shopify" | "woocommerce" | "magento" | "prestashop" | "etsy" | "google";
                /** @description With `true`, every row is checked and none is stored. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description The SHA-256 or SHA-512 digest of the body; 400 unless the body has it (RFC 9530 2). */
                readonly "Content-Digest"?: components["parameters"]["Content-Digest"];
                /** @description With `wait=N`, the response is sent once the operation has ended, or after N seconds (at most 30); with `return=minimal`, it has no body (RFC 7240). */
                readonly Prefer?: components["parameters"]["Prefer"];
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
                /** @description Makes a retry have no second effect: 1–255 characters, bare or as a quoted string. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    readonly file: string;
                    /**
                     * @description The fields of columns by their names, as JSON; null ignores a column.
                     * @example {"Article":"sku","Remark":null}
                     */
                    readonly mapping?: string;
                };
                readonly "text/csv": string;
                readonly "text/tab-separated-values": string;
                readonly "application/x-ndjson": string;
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                readonly "application/xml": string;
            };
        };
        readonly responses: {
            /** @description The operation. */
            readonly 200: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                    readonly "application/xml": components["schemas"]["Operation"];
                };
            };
            /** @description The operation, whose processing continues. */
            readonly 202: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                    readonly "application/xml": components["schemas"]["Operation"];
                };
            };
            /** @description Done; the client preferred no body. */
            readonly 204: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 422: components["responses"]["Invalid"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOperations: {
        readonly parameters: {
            readonly query?: {
                /** @description Only operations of this status. Several values mean any of them. */
                readonly status?: readonly ("queued" | "running" | "succeeded" | "failed" | "cancelled")[];
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: components["parameters"]["Sort"];
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of operations; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OperationPage"];
                    readonly "application/xml": components["schemas"]["OperationPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getOperation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
                /** @description With `wait=N`, the response is sent once the operation has ended, or after N seconds (at most 30); with `return=minimal`, it has no body (RFC 7240). */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description Identifies the operation. */
                readonly operationId: components["parameters"]["OperationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The operation. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                    readonly "application/xml": components["schemas"]["Operation"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly deleteOperation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
                /**
                 * @description The ETag that must be current; 412 otherwise (RFC 9110 13.1.1).
                 * @example *
                 */
                readonly "If-Match"?: components["parameters"]["If-Match"];
            };
            readonly path: {
                /** @description Identifies the operation. */
                readonly operationId: components["parameters"]["OperationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Removed. */
            readonly 204: {
                headers: {
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly default: components["responses"]["WriteError"];
        };
    };
    readonly listOperationErrors: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "line";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: {
                /** @description The preferred languages of texts: en, zh, es, fr, de; English by default (RFC 9110 12.5.4). */
                readonly "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            readonly path: {
                /** @description Identifies the operation. */
                readonly operationId: components["parameters"]["OperationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of errors; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Content-Language": components["headers"]["Content-Language"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OperationErrorPage"];
                    readonly "application/xml": components["schemas"]["OperationErrorPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getImportTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The resource. */
                readonly resource: "products" | "users" | "stock" | "prices" | "categories" | "orders";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A CSV file with all columns of what is imported, and two rows of examples. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly listAuditEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description The operation. */
                readonly action?: components["schemas"]["AuditAction"];
                /** @description Only events by this user. */
                readonly actor_id?: number;
                /** @description Only events about the account of this user. */
                readonly subject_id?: number;
                /** @description Only events from this network address. */
                readonly address?: string;
                /** @description Only events of this request. */
                readonly request_id?: string;
                /** @description Only events at this time or later. */
                readonly since?: string;
                /** @description Only events before this time. */
                readonly until?: string;
                /** @description The number of the page; a page after the last one is empty. `page` × `limit` is at most 100000; `cursor` leads further. */
                readonly page?: components["parameters"]["Page"];
                /** @description The number of entries per page. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Sort field; ties by id. */
                readonly sort?: "id" | "at" | "created_at" | "updated_at";
                /** @description Ascending or descending. */
                readonly order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page; replaces page and is as fast for any page. */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Only entries created at this time or later. */
                readonly created_since?: components["parameters"]["CreatedSince"];
                /** @description Only entries created before this time. */
                readonly created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only entries last changed at this time or later. */
                readonly updated_since?: components["parameters"]["UpdatedSince"];
                /** @description Only entries last changed before this time. */
                readonly updated_before?: components["parameters"]["UpdatedBefore"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of audit events; all as `text/csv`, XLSX or `application/x-ndjson`. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEventPage"];
                    readonly "application/xml": components["schemas"]["AuditEventPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly getAuditEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifies the audit event. */
                readonly eventId: components["schemas"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The audit event. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Last-Modified": components["headers"]["Last-Modified"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEvent"];
                    readonly "application/xml": components["schemas"]["AuditEvent"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadQuery"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["ReadError"];
        };
    };
    readonly receivePaymentNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPaymentNotification"];
                readonly "application/xml": components["schemas"]["NewPaymentNotification"];
            };
        };
        readonly responses: {
            /** @description The payment notification. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentNotification"];
                    readonly "application/xml": components["schemas"]["PaymentNotification"];
                };
            };
            readonly 204: components["responses"]["NoContent"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 422: components["responses"]["Invalid"];
            readonly 502: components["responses"]["BadUpstreamAnswer"];
            readonly 504: components["responses"]["UpstreamTimeout"];
            readonly default: components["responses"]["OpenWriteError"];
        };
    };
    readonly receiveEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The ID of the event, the same in every attempt. */
                readonly "webhook-id": string;
                /** @description When it is sent, in seconds since 1970. */
                readonly "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in Base64, for each valid secret, separated by spaces. The key is what follows `whsec_`, decoded from Base64. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Event"];
            };
        };
        readonly responses: {
            /** @description Received. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
